import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, it } from 'vitest';
import { mop, temporaryDirectory } from '../../../support/cli.ts';

const REQUEST = '{"a":"李</script>","api_key":"k","sign":"AB"}';
const OPEN = ['sign', 'verify', REQUEST, '--open'];

let directory: string;
let env: Record<string, string>;

/** A browser that writes the address that it is asked to open. */
beforeEach(async () => {
  directory = await temporaryDirectory();
  const browser = join(directory, 'browser.sh');
  await writeFile(browser, `#!/bin/sh\nprintf %s "$1" > ${join(directory, 'address')}\n`);
  await chmod(browser, 0o755);
  env = { MOP_CONFIG_DIR: join(directory, 'config'), BROWSER: browser };
});

/** The inputs in the page that was opened, and its path. */
async function opened() {
  const path = fileURLToPath(await readFile(join(directory, 'address'), 'utf8'));
  const html = await readFile(path, 'utf8');
  const [, json = ''] =
    /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? [];
  const { start } = JSON.parse(json) as { start: { bytes: string; fields: object } };
  return { path, html, request: Buffer.from(start.bytes, 'base64').toString(), ...start };
}

it('opens a private page with the request, and needs no secret', async () => {
  const { code, stdout, stderr } = await mop([...OPEN, '--entry', '2', '--effort', 'high'], {
    env,
  });
  expect([code, stdout]).toEqual([0, '']);
  const { path, request, fields } = await opened();
  expect(stderr).toBe(`${path} is open in a browser: enter the secret there\n`);
  expect([request, fields]).toEqual([REQUEST, { entry: '2', effort: 'high' }]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it('keeps the bytes of another charset, and has the language of the locale', async () => {
  const bytes = Buffer.from('{"a":"\u674e","sign":"AB"}', 'utf16le');
  await writeFile(join(directory, 'request.bin'), bytes);
  const options = { env: { ...env, LC_ALL: 'zh_CN.UTF-8' } };
  await mop(['sign', 'verify', `@${join(directory, 'request.bin')}`, '--open'], options);
  const { html, bytes: shown } = await opened();
  expect(Buffer.from(shown, 'base64')).toEqual(bytes);
  expect(html).toContain('<html lang="zh-CN">');
});

it('without a browser names the file', async () => {
  const missing = { ...env, BROWSER: join(directory, 'none') };
  const { code, stderr } = await mop(OPEN, { env: missing });
  expect([code, stderr]).toEqual([
    1,
    `mop: no browser can be started\nhint: open this file in a browser: ${join(directory, 'config/cache/debugger.html')}\n`,
  ]);
});

it.each([
  [['--open'], 'nothing to verify'],
  [['--open', '--last'], 'no refused call is stored'],
  [[...OPEN.slice(2), '--last'], '--last takes no REQUEST'],
  [[...OPEN.slice(2), '--all'], '--open shows one request'],
  [[...OPEN.slice(2), '-H', 'X-TMS-Sign: A'], '--open takes no --header'],
  [[...OPEN.slice(2), '--theirs', 'a=1'], '--open takes no --theirs'],
  [[...OPEN.slice(2), '--save-vector', 'x'], '--open does not verify the request'],
])('%j is exit 2', async (options, message) => {
  const { code, stderr } = await mop(['sign', 'verify', ...options], { env });
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
