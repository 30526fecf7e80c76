import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { installed } from '../cli/support.ts';
import { proxyTo } from '../proxy/support.ts';
import { findChromium } from '../sandbox/pages/support.ts';
import { start } from '../sandbox/support.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { listen } from '../support/server.ts';

const FOLDER = fileURLToPath(new URL('proxy-clients/', import.meta.url));

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
    const env = { PATH: process.env.PATH, HOME: home };
    const { stdout } = await run(program, [...argv, url], { cwd: FOLDER, env });
    const codes = stdout.match(/(?<="code":)\d+|^\d+$/gm);
    expect(codes).toEqual(['0', '0']);
  },
);

test('a page of an allowed origin reads the answer and the diagnosis; another page does not', async ({
  skip,
}) => {
  const executablePath = findChromium();
  skip(!executablePath, 'Chromium is not installed');
  const sandbox = await start();
  const pages = createServer((_, response) => response.end('<!doctype html><title>page</title>'));
  const port = await listen(pages);
  const { url } = await proxyTo(sandbox.url, {
    allowedOrigins: new Set([`http://localhost:${port}`]),
  });
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
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
