import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mop, temporaryDirectory } from '../support/cli.ts';
import { AUTHORIZATION, QUERY, scriptedPlatform } from '../support/platform.ts';
import { envelope, serve } from '../support/server.ts';
import { expectStored, fetchInto } from './support.ts';

describe('the authorization', () => {
  it('is sent in the configured header', async () => {
    const platform = await scriptedPlatform();
    const directory = await temporaryDirectory();
    const env = { ...platform.env, MOP_CONFIG_DIR: join(directory, 'config') };
    await fetchInto(directory, [], { env });
    await mop(['config', 'set', 'bill_auth_header', 'X-Bill-Token'], { env });
    await fetchInto(directory, ['2026-11-18'], { env });
    const [first, second] = platform.requests.filter(({ method }) => method === 'GET');
    expect(first?.path).toBe(`/file?${QUERY}`);
    expect(first?.headers.authorization).toBe(AUTHORIZATION);
    expect(second?.headers['x-bill-token']).toBe(AUTHORIZATION);
    expect(second?.headers.authorization).toBeUndefined();
  });

  it('is sent in the header line of bill_auth_header, with the headers of --download-header', async () => {
    const platform = await scriptedPlatform({
      // Echoes all headers in the part of the body that a message quotes.
      download: (response, number, { headers }, good) =>
        number === 0 ? response.writeHead(403).end(JSON.stringify(headers)) : response.end(good),
    });
    const directory = await temporaryDirectory();
    const env = { ...platform.env, MOP_CONFIG_DIR: join(directory, 'config') };
    const line = 'X-Ticket: Bearer {authorization}; v=1';
    await mop(['config', 'set', 'bill_auth_header', line], { env });
    const others = ['X-Tenant: north', 'X-Tenant: south', 'X-Api-Key: key-canary-42'];
    const options = others.flatMap((other) => ['--download-header', other]);
    const { code, stdout, stderr } = await fetchInto(
      directory,
      [...options, '--verbose', '--debug'],
      { env },
    );
    expect(code).toBe(0);
    for (const secret of [AUTHORIZATION, 'key-canary-42']) {
      expect(stdout + stderr).not.toContain(secret);
    }
    expect(stderr).toContain('> X-Ticket: <redacted>\n');
    expect(stderr).toContain('> X-Tenant: north\n');
    for (const { method, headers } of platform.requests) {
      if (method === 'POST') {
        expect(JSON.stringify(headers)).not.toMatch(/x-tenant|x-ticket|x-api-key/);
        continue;
      }
      expect(headers).toMatchObject({
        'x-ticket': `Bearer ${AUTHORIZATION}; v=1`,
        'x-tenant': 'north, south',
        'x-api-key': 'key-canary-42',
      });
      expect(headers.authorization).toBeUndefined();
    }
  });

  it.each([undefined, null, ''])('may be missing: %j', async (authorization) => {
    const platform = await scriptedPlatform({ descriptor: { authorization } });
    await expectStored(platform, [], { credentials: false });
    expect(platform.requests.map(({ headers }) => headers.authorization)).toEqual(Array(2));
  });
});

describe('text from the platform', () => {
  it('is printed on one line without control characters', async () => {
    const message = 'no\nhint: run this\u001b[2J\u2028';
    const { url } = await serve((_, response) => envelope(response, 2000, {}, message));
    const env = { MOP_BASE_URL: url, MOP_API_KEY: 'key', MOP_API_SECRET: 'secret-canary' };
    const { stderr } = await mop(['bill', 'fetch', '-o', `${await temporaryDirectory()}/`], {
      env,
    });
    expect(stderr.trim().split('\n')).toHaveLength(2);
    for (const character of ['\u001b', '\u2028']) expect(stderr).not.toContain(character);
    expect(stderr).toContain('answered 2000: no hint: run this [2J');
  });
});
