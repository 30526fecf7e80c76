import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, expect, onTestFinished, type TestContext, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../src/protocol/sandbox.ts';
import { signHeaders } from '../../src/signing/header-mode.ts';
import { proxyTo } from '../proxy/support.ts';
import { hasChromium, launchChromium } from '../sandbox/pages/chromium.ts';
import { SECONDS, start } from '../sandbox/support.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { installed } from '../support/programs.ts';
import { listen } from '../support/server.ts';

const FOLDER = fileURLToPath(new URL('proxy-clients/', import.meta.url));
const GOCACHE = fileURLToPath(new URL('../../node_modules/.cache/go-build', import.meta.url));

test.for([
  ['python3', ['client.py']],
  ['php', ['client.php']],
  ['go', ['run', 'client.go']],
  ['curl', ['client.sh'], 'sh'],
] as const)(
  'a client in %s that does not sign reaches the sandbox in both modes',
  async (row, context) => {
    const [needed, argv, program = needed] = row;
    context.skip(!installed(needed), `${needed} is not installed`);
    const sandbox = await start();
    const { url } = await proxyTo(sandbox.url);
    const run = promisify(execFile);
    const home = await temporaryDirectory();
    // In the temporary home, go would compile its library again in each run.
    const env = { PATH: process.env.PATH, HOME: home, GOCACHE };
    const { stdout } = await run(program, [...argv, url], { cwd: FOLDER, env });
    const codes = stdout.match(/(?<="code":)\d+|^\d+$/gm);
    expect(codes).toEqual(['0', '0']);
  },
);

let launched: Promise<Browser> | undefined;
afterAll(async () => (await launched)?.close());

/** An empty page in Chromium, and the port of its server. */
async function openPage({ skip }: Pick<TestContext, 'skip'>) {
  skip(!hasChromium, 'Chromium is not installed');
  const pages = createServer((_, response) => response.end('<!doctype html><title>page</title>'));
  const port = await listen(pages);
  launched ??= launchChromium();
  const page = await (await launched).newPage();
  onTestFinished(() => page.close());
  return { page, port };
}

test('a page of an allowed origin uses all services of the sandbox', async (context) => {
  const { page, port } = await openPage(context);
  const { url } = await start({ allowedOrigins: [`http://localhost:${port}`] });
  const body = '{"note":null}';
  const { headers } = signHeaders(body, SANDBOX_CREDENTIALS, { timestamp: SECONDS });
  const fetched = (path: string, text: string, more = {}): Promise<unknown> =>
    page.evaluate(
      async ([address, options]) => {
        try {
          const { status, headers: found } = await fetch(address, options);
          return [status, found.has('Date'), found.get('X-Mop-Warning')?.split('=')[0]];
        } catch (error) {
          return String(error);
        }
      },
      [
        url + path,
        { method: 'POST', headers: { 'Content-Type': 'application/json', ...more }, body: text },
      ] as const,
    );
  const requests: readonly (readonly [path: string, body: string, headers?: object])[] = [
    ['/api/open/user/sync', body, headers],
    ['/api/detect', '{"text":"x"}'],
    ['/graphql', '{"query":"{ __typename }"}'],
  ];
  await page.goto(`http://localhost:${port}/`);
  const answers = [
    [200, true, 'null-in-header'],
    [200, true, undefined],
    [200, true, undefined],
  ];
  for (const [index, request] of requests.entries()) {
    expect(await fetched(...request)).toEqual(answers[index]);
  }
  expect(await fetched('/requests/1', '')).toEqual([403, true, undefined]);
  await page.goto(`http://127.0.0.1:${port}/`);
  for (const request of requests) {
    expect(await fetched(...request)).toBe('TypeError: Failed to fetch');
  }
});

test('a page of an allowed origin reads the answer and the diagnosis; another page does not', async (context) => {
  const { page, port } = await openPage(context);
  const sandbox = await start();
  const { url } = await proxyTo(sandbox.url, {
    allowedOrigins: new Set([`http://localhost:${port}`]),
  });
  const call = (body: string): Promise<unknown> =>
    page.evaluate(
      async ([address = '', text]) => {
        const headers = { 'Content-Type': 'application/json', 'X-TMS-Nonce': 'abcdefghij' };
        const options = { method: 'POST', headers, body: text ?? '' };
        try {
          const answer = await fetch(address, options);
          const { code } = (await answer.json()) as { readonly code?: number };
          return [answer.status, code, answer.headers.get('X-Mop-Diagnosis')];
        } catch (error) {
          return String(error);
        }
      },
      [`${url}/open/v1/trade/bill`, body],
    );
  const bill = '{"bill_date":"2026-11-19","bill_type":0,"tar_type":1}';
  await page.goto(`http://localhost:${port}/`);
  expect(await call(bill)).toEqual([200, 0, null]);
  expect(await call('{"sign":"00","api_key":"sandbox"}')).toEqual([200, 1001, 'unexplained']);
  expect(await call('[]')).toEqual([400, undefined, null]);
  await page.goto(`http://127.0.0.1:${port}/`);
  expect(await call(bill)).toBe('TypeError: Failed to fetch');
});
