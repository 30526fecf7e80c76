import { expect, test } from 'vitest';
import { mop } from '../../support/cli.ts';
import { NOW, send, start } from '../support.ts';

/** The code blocks of the start page by their id. */
async function codes(url: string): Promise<ReadonlyMap<string, string>> {
  const { status, headers, body } = await send(`${url}/platform`);
  expect(status).toBe(200);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  const blocks = body.toString().matchAll(/<code id="([^"]+)">([^<]*)<\/code>/g);
  const plain = (text: string): string =>
    text
      .replace(/&quot;/g, '"')
      .replace(/&#39;/g, "'")
      .replace(/&amp;/g, '&');
  return new Map([...blocks].map(([, id = '', text = '']) => [id, plain(text)]));
}

test('every command succeeds with the variables of the page', async () => {
  const { url } = await start();
  const { settings = '', ...examples } = Object.fromEntries(await codes(url));
  const env = Object.fromEntries(
    [...settings.matchAll(/(MOP_\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  );
  expect(env).toEqual({
    MOP_API_KEY: 'sandbox',
    MOP_API_SECRET: 'sandbox-secret',
    MOP_BASE_URL: url,
    MOP_OPEN_BASE_URL: url,
    MOP_DETECT_URL: url,
    MOP_GQL_URL: `${url}/graphql`,
  });
  const calls = Object.entries(examples).filter(([, code]) => code.startsWith('mop '));
  expect(calls).toHaveLength(8);
  for (const [id, command] of calls) {
    const [, path = '', mode = '', body = ''] =
      /^mop call (\S+) --mode (\w+) '(.*)'$/.exec(command) ?? [];
    const { code, stderr } = await mop(['call', path, '--mode', mode, body], {
      env,
      now: () => NOW,
    });
    expect([id, code, stderr]).toEqual([id, 0, '']);
  }
});

test('its links are valid', async () => {
  const { url } = await start();
  const { body } = await send(`${url}/platform`);
  const links = [...body.toString().matchAll(/href="(\/[^"]*)"/g)].map(([, link = '']) => link);
  for (const link of ['/requests', '/platform/openapi.json', '/', '/console', '/api-docs']) {
    expect(links).toContain(link);
  }
  for (const link of new Set(links)) {
    expect([link, (await send(url + link)).status]).toEqual([link, 200]);
  }
});
