import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, expect, it } from 'vitest';
import { mop, temporaryDirectory } from '../../../support/cli.ts';

const BINARY = fileURLToPath(new URL('../../../../bin/mop.js', import.meta.url));

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

it.runIf(process.getuid?.() === 0)('refuses a directory of another user', async () => {
  await mkdir(join(directory, 'config'), { mode: 0o700 });
  await chown(join(directory, 'config'), 1234, 1234);
  const { code, stderr } = await mop(OPEN, { env });
  expect([code, stderr]).toEqual([3, expect.stringContaining('belongs to another user')]);
});

it('removes a page of an hour ago, and no other file', async () => {
  await mop(OPEN, { env });
  const { path } = await opened();
  const cache = dirname(path);
  await writeFile(join(cache, 'debugger-mine.html'), '');
  const old = Date.now() / 1000 - 3700;
  for (const name of await readdir(cache)) await utimes(join(cache, name), old, old);
  await mop(OPEN, { env, now: Date.now });
  const { path: next } = await opened();
  expect(await readdir(cache)).toEqual(['debugger-mine.html', basename(next)].sort());
});

it('the binary ends when the browser runs, and reports one that fails', async () => {
  const run = (browser: string) =>
    promisify(execFile)(process.execPath, [BINARY, ...OPEN], {
      env: { ...env, BROWSER: browser, HOME: directory },
    }).catch((error: { code: number; stderr: string }) => error);
  const slow = join(directory, 'slow.sh');
  await writeFile(slow, '#!/bin/sh\nexec sleep 30\n', { mode: 0o755 });
  expect(await run(slow)).toMatchObject({
    stderr: expect.stringContaining('is open in a browser'),
  });
  expect(await run('/bin/false')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no browser can be started'),
  });
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
    expect.stringMatching(
      /^mop: no browser can be started\nhint: open this file in a browser: .*\/cache\/debugger-.*\.html\n$/,
    ),
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
  [[...OPEN.slice(2), '--reading', 'types=lenient'], '--open takes no --reading'],
  [[...OPEN.slice(2), '--max-skew', '9'], '--open takes no --max-skew'],
])('%j is exit 2', async (options, message) => {
  const { code, stderr } = await mop(['sign', 'verify', ...options], { env });
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
