import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../../src/protocol/sandbox.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { signBody } from '../../../src/signing/body-mode.ts';
import { signHeaders } from '../../../src/signing/header-mode.ts';
import type { VectorFile } from '../../../src/signing/verification/vector.ts';
import { mop } from '../../support/cli.ts';
import { BOUNDARY, filePart, formBody, post, postJson, send, textPart } from '../support.ts';
import { expectAccessible, focused, type Pages } from './browser.ts';

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };
const HOSTILE = '<img src=x onerror=alert(1)>';

export function describeRequests({ open, url, takeComplaints }: Pages): void {
  /** Sends a request that is signed as json.dumps of Python writes nested values. */
  async function sendWrong(fields: object = { name: HOSTILE, z: { b: 1, a: ' x' } }) {
    const { sign: _, ...sent } = JSON.parse(
      signBody(JSON.stringify(fields), SANDBOX_CREDENTIALS).body,
    );
    const text = (value: unknown): string =>
      typeof value === 'object' ? JSON.stringify(value).replace(/([:,])(?=")/g, '$1 ') : `${value}`;
    const canonical = Object.keys(sent)
      .sort()
      .map((name) => `${name}=${text(sent[name])}`)
      .join('&');
    const digest = createHash('md5').update(
      canonical.replace('"b":1', '"b": 1') + SANDBOX_CREDENTIALS.secret,
    );
    const body = JSON.stringify({ ...sent, sign: digest.digest('hex').toUpperCase() });
    return post({ url: url() }, body, '/open/v1/user/sync');
  }

  async function sendRight(path = '/api/open/user/sync', text = '{"slat":30.25}') {
    const { headers, body } = signHeaders(text, SANDBOX_CREDENTIALS);
    return postJson(url() + path, body ?? '', { ...headers, 'X-Empty': '' });
  }

  /** Opens the page with the newest request on top. */
  async function openList(options = {}): Promise<Page> {
    const page = await open('/requests', options);
    await page.getByText('Connected', { exact: true }).waitFor();
    return page;
  }

  const rowCount = (page: Page) => page.locator('#rows tr').count();
  const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

  test('an answered request appears, and the keyboard opens its layers', async () => {
    const page = await openList();
    const before = await rowCount(page);
    expect(await sendWrong()).toMatchObject({ code: 1002 });
    const row = page.locator('#rows tr').first();
    await expect.poll(() => rowCount(page)).toBe(before + 1);
    expect(await row.textContent()).toMatch(
      /POST \/open\/v1\/user\/sync200 · 1002.*wrong: nested-spacing/,
    );
    await page.getByText(/^New request: POST \/open\/v1\/user\/sync, 200, wrong/).waitFor();

    await row.getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'String to sign' }).waitFor();
    expect(await focused(page)).toBe('POST /open/v1/user/sync');
    const theirs = page.getByRole('region', { name: 'Signed by the client' });
    const ours = page.getByRole('region', { name: 'Right', exact: true });
    expect(await theirs.textContent()).toContain('z={"b":⟦·⟧1,⟦·⟧"a":⟦·⟧"·x"}<api_secret>');
    expect(await ours.textContent()).toContain('z={"b":⟦⟧1,⟦⟧"a":⟦⟧"·x"}<api_secret>');
    expect(await page.locator('#layers img').count()).toBe(0);
    const fields = page.getByRole('region', { name: 'Fields' });
    expect(await fields.textContent()).toContain(HOSTILE.replace(' ', '·').replace(' ', '·'));
    expect(await page.getByText('Fix: sign nested JSON').isVisible()).toBe(true);

    await page.keyboard.press('Escape');
    expect(await page.locator('#details').isVisible()).toBe(false);
    expect(await focused(page)).toBe('POST /open/v1/user/sync');
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate('document.activeElement.closest("tr").rowIndex')).toBe(
      before > 0 ? 2 : 1,
    );
  });

  test.each([
    ['complete', [], /No known mistake explains this signature/],
    ['skipped', [], /Send the request again/],
    ['skipped', [{ id: 'version', title: 'late', fields: [], fix: 'wait' }], /^Late version$/],
  ] as const)('a search that found nothing (%s, then %j)', async (search, found, shown) => {
    await sendWrong();
    const page = await openList();
    await page.route('**/requests/*', async (route) => {
      const response = await route.fetch();
      const exchange = await response.json();
      const layers = { ...exchange.layers, diagnosis: found };
      await route.fulfill({ json: { ...exchange, diagnosis: [], search, layers } });
    });
    await page.locator('#rows a').first().click();
    await page.getByText(shown).waitFor();
  });

  test('pause holds new requests back, clear empties the view, and the filter finds rows', async () => {
    const page = await openList();
    await sendRight();
    await sendRight('/api/open/user/sync', '{"slat":30.5}');
    await expect.poll(() => rowCount(page)).toBeGreaterThan(1);
    const before = await rowCount(page);
    await page.getByRole('button', { name: 'Pause' }).click();
    await sendRight();
    await page.getByRole('button', { name: 'Resume (1 new)' }).click();
    expect(await rowCount(page)).toBe(before + 1);
    const newest = (await page.locator('#rows a').first().getAttribute('href')) ?? '';

    await page.getByLabel(/^Filter/).fill(`SYNC ${newest}`);
    expect(await page.locator('#rows tr:visible').count()).toBe(1);
    await page.getByLabel(/^Filter/).fill('nothing');
    expect(await page.getByText('No request matches the filter.').isVisible()).toBe(true);
    await page.getByLabel(/^Filter/).fill('');
    await page.getByRole('button', { name: 'Clear view' }).click();
    expect(await page.getByText('No requests yet.').isVisible()).toBe(true);
    await sendRight();
    await expect.poll(() => rowCount(page)).toBe(1);
  });

  test('a warning about a reading is visible, and the filter finds it', async () => {
    const page = await openList();
    await sendRight();
    await sendRight('/api/open/user/sync', '{"note":null}');
    await page.getByLabel(/^Filter/).fill('warning');
    const rows = page.locator('#rows tr:visible');
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.textContent()).toContain('right; warning: only under null-in-header=empty');
    await rows.getByRole('link').click();
    await page.getByText(/^Warning: .*under the reading null-in-header=empty/).waitFor();
  });

  describe('copies', () => {
    /** The newest request, opened. */
    async function openNewest(): Promise<Page> {
      const page = await openList(CLIPBOARD);
      await page.locator('#rows a').first().click();
      await page.getByRole('heading', { name: 'Answer' }).waitFor();
      return page;
    }

    async function copy(page: Page, name: string): Promise<string> {
      await page.getByRole('button', { name }).click();
      await page.getByText('Copied.').waitFor();
      return copied(page);
    }

    async function run(command: string): Promise<{ readonly code: number }> {
      const silent = command.replace('curl', 'curl -sS --max-time 20 --noproxy "*"');
      return JSON.parse((await promisify(execFile)('sh', ['-c', silent])).stdout);
    }

    test('a curl command that sends the request again', async () => {
      await sendWrong({ name: "it's $HOME `x` \\ 你好", z: { b: 1 } });
      expect(await run(await copy(await openNewest(), 'Copy as curl'))).toMatchObject({
        code: 1002,
        data: { diagnosis: [{ id: 'nested-spacing' }] },
      });
      await sendRight();
      expect(await run(await copy(await openNewest(), 'Copy as curl'))).toMatchObject({ code: 0 });
    });

    test('a curl command for a form', async () => {
      const fields = [{ name: 'place', value: "it's <here>" }];
      const { headers } = signHeaders(fields, SANDBOX_CREDENTIALS);
      const parts = [textPart('place', "it's <here>"), filePart('photo', 'package.json', 'x')];
      const type = `multipart/form-data; boundary=${BOUNDARY}`;
      await send(`${url()}/api/open/user/sync`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': type },
        body: formBody(parts),
      });
      expect(await run(await copy(await openNewest(), 'Copy as curl'))).toMatchObject({ code: 0 });
    });

    test('a test vector that mop verifies', async () => {
      await sendWrong();
      const file = JSON.parse(await copy(await openNewest(), 'Copy as test vector')) as VectorFile;
      const [vector] = file.vectors;
      const { headers = [], body = '' } = vector?.request ?? {};
      const options = headers.flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
      const { code, stdout } = await mop(
        ['sign', 'verify', Buffer.from(body, 'base64').toString(), ...options, '--json'],
        { env: { MOP_API_KEY: 'sandbox', MOP_API_SECRET: vector?.secret ?? '' } },
      );
      const { diagnosis } = JSON.parse(stdout);
      expect([code, diagnosis[0].id]).toEqual([4, 'nested-spacing']);
    });

    test('the string to sign, without the secret', async () => {
      await sendRight();
      const text = await copy(await openNewest(), 'Copy the string to sign');
      expect(text).toMatch(/^X-TMS-Api-Key=sandbox&.*&slat=30\.25<api_secret>$/);
    });

    test('no vector of an unsigned request, with the reason', async () => {
      await post({ url: url() }, '{"a":1}');
      const page = await openNewest();
      expect(await page.getByRole('button', { name: 'test vector' }).isDisabled()).toBe(true);
      expect(await page.getByText(/^No test vector: /).isVisible()).toBe(true);
      expect(await page.getByText(/the request carries no signature/).isVisible()).toBe(true);
    });
  });

  test('fits any screen, with large bodies and 200 requests', async () => {
    for (let count = 0; count < 200; count++) await send(`${url()}/nowhere-${count}`);
    const page = await openList({ viewport: null });
    const text = JSON.stringify({ long: 'x'.repeat(30_000), list: Array(5_000).fill(1.0) });
    await sendRight('/api/open/user/sync', text);
    const first = page.locator('#rows a').first();
    await expect.poll(() => first.textContent()).toContain('/api/open/user/sync');
    expect(await rowCount(page)).toBe(200);
    const excess = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    for (const width of [320, 390, 768, 1100, 1600]) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await page.evaluate(excess)]).toEqual([width, 0]);
      await first.click();
      await page.getByRole('heading', { name: 'Answer' }).waitFor();
      expect([width, await page.evaluate(excess)]).toEqual([width, 0]);
      await page.getByRole('button', { name: 'Close' }).click();
    }
  });

  test('the start page fits a phone, and copies its examples', async () => {
    const page = await open('/platform', { ...CLIPBOARD, viewport: { width: 390, height: 800 } });
    const excess = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(excess)).toBe(0);
    const example = page.getByRole('group', {
      name: 'Signature in headers: POST /api/open/user/sync',
    });
    await page.locator('[data-copy="sync-header"]').click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await copied(page)).toBe(await example.textContent());
  });

  test('explains a request that is no longer kept, and follows the address', async () => {
    const page = await openList();
    await sendRight();
    await page.goto(`${url()}/requests#999999`);
    await page.getByText('request 999999 is not available: only the last 200 are kept').waitFor();
    expect(await focused(page)).toBe('Request 999999');
    await page.locator('#rows a').first().click();
    await page.getByRole('heading', { name: 'Answer' }).waitFor();
    await page.goBack();
    await page.getByText('request 999999 is not available: only the last 200 are kept').waitFor();
  });

  test('reconnects, also to a new sandbox that counts from 1', async () => {
    const short = await startSandbox();
    const port = Number(new URL(short.url).port);
    for (let count = 0; count < 3; count++) await send(`${short.url}/old`);
    const page = await open(`${short.url}/requests`);
    await expect.poll(() => rowCount(page)).toBe(3);
    await short.close();
    await page.getByText('Not connected: reconnecting').waitFor();
    const next = await startSandbox({ port });
    try {
      for (let count = 0; count < 2; count++) await send(`${next.url}/new`);
      await expect
        .poll(() => page.locator('#rows').textContent(), { timeout: 20_000 })
        .toMatch(/new.*new/);
      expect(await page.locator('#rows').textContent()).not.toContain('old');
    } finally {
      await page.goto('about:blank');
      await next.close();
    }
    takeComplaints();
  });

  test('axe finds nothing in the details of a request', async () => {
    await sendWrong();
    const page = await open('/requests', { bypassCSP: true, reducedMotion: 'reduce' });
    await page.locator('#rows a').first().click();
    await page.getByRole('heading', { name: 'Answer' }).waitFor();
    await expectAccessible(page);
  });
}
