/**
 * Each command with requests, against services that echo the request in their own form. The long run
 * tests every combination, the short one takes turns.
 */
import { describe, expect, it } from 'vitest';
import { closedPort, proxyServer } from '../http/support.ts';
import { mop } from '../support/cli.ts';
import { serve } from '../support/server.ts';
import { type Bench, bench, CANARIES, leaksOf, type Trial, VOICES } from './bench.ts';
import { drivesOf, nameOf } from './commands.ts';
import { echoes } from './services.ts';

/** The leaks of commands with requests, in one form each, by turns. */
async function leaksOfAsking(place: Bench, trial: Trial = {}, flags = ['--retries', '0']) {
  const voices = Object.keys(VOICES);
  const found: string[] = [];
  for (const [index, drive] of drivesOf(place).entries()) {
    if (!drive.asks) continue;
    const voice = voices[index % voices.length] ?? '';
    const leaks = await leaksOf([...drive.argv, ...flags], place, {
      voices: [voice],
      world: drive.world,
      ...trial,
    });
    const allowed = drive.repeats ? / stdout: / : /^$/;
    found.push(
      ...leaks.filter((leak) => !allowed.test(leak)).map((leak) => `${nameOf(drive)}: ${leak}`),
    );
  }
  return found;
}

describe('a command that asks a service shows no secret', () => {
  it.each(Object.entries(echoes(CANARIES.variable)))('when it gets %s', async (_, handler) => {
    const { url, requests } = await serve(handler);
    expect(await leaksOfAsking(await bench(url), { requests })).toEqual([]);
    expect(requests.length).toBeGreaterThan(20);
  });

  it('for a closed port', async () => {
    const place = await bench(`http://127.0.0.1:${await closedPort()}`);
    expect(await leaksOfAsking(place)).toEqual([]);
  });

  it('when a proxy refuses it', async () => {
    const proxy = await proxyServer(407);
    const env = { HTTPS_PROXY: `http://user:${encodeURIComponent(CANARIES.proxy)}@${proxy.host}` };
    const place = await bench('https://service.example');
    expect(await leaksOfAsking(place, { world: { env } })).toEqual([]);
    expect(proxy.received.length).toBeGreaterThan(20);
    const credentials = Buffer.from(`user:${CANARIES.proxy}`).toString('base64');
    expect(proxy.rawHeaders.flat()).toContain(`Basic ${credentials}`);
  });

  it('when it asks the sandbox, whose model repeats its key', async () => {
    const { url, requests } = await serve(echoes('')['an error'] ?? expect.fail());
    expect(await leaksOfAsking(await bench(url), {}, ['--env', 'sandbox'])).toEqual([]);
    const asked = requests.map(({ path, headers }) => [path, headers.authorization]);
    expect(asked).toContainEqual(['/v1/chat/completions', `Bearer ${CANARIES.model}`]);
  });

  it('when the model of the sandbox gives its key as a reason', async () => {
    const { url } = await serve(({ headers }, response) => {
      const verdict = { level: 'high', score: 61, reasons: [`guilt: ${headers.authorization}`] };
      response.end(
        JSON.stringify({ choices: [{ message: { content: JSON.stringify(verdict) } }] }),
      );
    });
    const place = await bench(url);
    const argv = ['detect', 'text', '--env', 'sandbox'];
    expect((await mop([...argv, '--json'], { env: place.env })).stdout).toContain('guilt: ');
    expect(await leaksOf(argv, place)).toEqual([]);
  });

  it('when it examines a refused call', async () => {
    const handler = echoes(CANARIES.variable)['a refused signature'] ?? expect.fail();
    const { url, requests } = await serve(handler);
    const place = await bench(url);
    for (const mode of ['body', 'header']) {
      for (const a of ['1', CANARIES.variable]) {
        const call = ['call', '/x', JSON.stringify({ a }), '--mode', mode];
        await mop(call, { env: place.env });
        const leaks = await leaksOf(['sign', 'verify', '--last'], place, { requests });
        expect([mode, a, leaks]).toEqual([mode, a, []]);
      }
    }
  });

  it('when it only shows its request', async () => {
    const place = await bench('http://127.0.0.1:9');
    expect(await leaksOfAsking(place, {}, ['--dry-run'])).toEqual([]);
    for (const flags of [[], ['--json']]) {
      for (const { argv } of drivesOf(place).filter(({ asks }) => asks)) {
        const { stdout } = await mop([...argv, '--dry-run', ...flags], {
          env: place.env,
          stdin: '',
        });
        // Nor a signature, which is another one each time.
        expect(stdout).not.toMatch(/\b[0-9A-F]{32}\b/);
      }
    }
  });
});
