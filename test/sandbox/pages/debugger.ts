import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../../src/protocol/sandbox.ts';
import { signHeaders } from '../../../src/signing/header-mode.ts';
import { temporaryDirectory } from '../../support/cli.ts';
import { postJson } from '../support.ts';
import { focused, follow, type Pages } from './browser.ts';

const PATH = '/platform/debugger';

/** A right signature, written in lower case. */
const signed = (body: string) => {
  const { headers } = signHeaders(body, SANDBOX_CREDENTIALS, { timestamp: '1795769010' });
  return { ...headers, 'X-TMS-Sign': String(headers['X-TMS-Sign']).toLowerCase() };
};

function curl(body: string): string {
  const options = Object.entries(signed(body)).map(([name, value]) => `-H '${name}: ${value}'`);
  return `curl https://h.example/api/open/x ${options.join(' ')} -d '${body}'`;
}

async function explain(page: Page, request: string, theirs = ''): Promise<string> {
  await page.getByLabel('Request', { exact: true }).fill(request);
  await page.getByLabel('Secret', { exact: true }).fill(SANDBOX_CREDENTIALS.secret);
  await page.getByLabel('Their canonical string').fill(theirs);
  await page.getByRole('button', { name: 'Explain' }).click();
  const verdict = page.getByRole('region', { name: 'Verdict' });
  await page.getByText('Done: see the verdict.').waitFor();
  return verdict.innerText();
}

export function describeDebugger({ open, url }: Pages): void {
  test('names the mistake, its fix and the layers, and masks the secret', async () => {
    const page = await open(PATH);
    const text = await explain(page, curl('{"b":2,"a":" x"}'));
    expect(text).toMatch(/The signature is wrong: hex-lowercase.*Fix: send the 32 hex digits/s);
    expect(await focused(page)).toBe('Verdict');
    const string = page.getByRole('region', { name: 'String to sign' });
    expect(await string.textContent()).toMatch(/^X-TMS-Api-Key=sandbox&.*&a=·x&b=2<api_secret>$/);
    expect(await page.getByRole('row', { name: /^a ·x business field yes$/ }).count()).toBe(1);
    for (const part of ['#verdict', '#layers']) {
      expect(await page.locator(part).innerText()).not.toContain(SANDBOX_CREDENTIALS.secret);
    }
    expect(await page.getByLabel('Secret', { exact: true }).getAttribute('type')).toBe('password');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('go');
    expect(await page.locator('#program').textContent()).toContain('package main');
  });

  test('shows the string of another program beside the right one', async () => {
    const page = await open(PATH);
    await explain(page, curl('{"b":2,"a":1}'), 'a=1&b=3');
    const layers = page.locator('#layers');
    expect(await layers.getByRole('heading', { name: 'Their string' }).count()).toBe(1);
    expect(await layers.locator('mark.theirs').allTextContents()).toContain('⟦3⟧');
  });

  test('a second question replaces the whole answer', async () => {
    const page = await open(PATH);
    await explain(page, curl('{"a":1}'));
    expect(await explain(page, 'no request')).toMatch(/cannot be examined.*unknown format/s);
    expect(await page.locator('#layers').textContent()).toBe('');
    expect(await page.locator('#program-part').isVisible()).toBe(false);
    await page.getByLabel('Request', { exact: true }).fill(' ');
    await page.getByRole('button', { name: 'Explain' }).click();
    expect(await page.getByRole('status').textContent()).toBe('Paste a request first.');
    expect(await focused(page)).toBe('');
  });

  test('a search shows progress, and can be cancelled', async () => {
    const page = await open(PATH);
    const sign = 'A'.repeat(32);
    const fields = Array.from({ length: 40 }, (_, at) => `"field_${at}":"value ${at}"`);
    const body = `{${fields.join(',')},"api_key":"sandbox","seq_id":"s","timestamp":1,"nonce":"n","sign":"${sign}"}`;
    await page.getByText('More options').click();
    await page.getByLabel('Search (--effort)').selectOption('high');
    await page.getByLabel('Request', { exact: true }).fill(body);
    await page.keyboard.press('Control+Enter');
    expect(await page.locator('#findings').textContent()).toBe('');
    await page.getByText(/^[\d,]+ ways to sign tried$/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByRole('status').textContent()).toBe('Cancelled.');
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    expect(await focused(page)).toBe('Explain');
  });

  test('writes a request from typed fields', async () => {
    const page = await open(PATH);
    await page.getByText('Type the fields instead').click();
    await page.getByLabel('Business fields, JSON').fill('{"a":1.50}');
    for (const name of ['api_key', 'seq_id', 'nonce'])
      await page.getByLabel(name).fill(`my ${name}`);
    await page.getByLabel('sign', { exact: true }).fill('AB');
    await page.getByRole('button', { name: 'Write the request' }).click();
    expect(await page.getByLabel('Request', { exact: true }).inputValue()).toBe(
      '{"a":1.50,"api_key":"my api_key","seq_id":"my seq_id","nonce":"my nonce","sign":"AB"}',
    );
  });

  test('reads the bytes of a file in another charset, also after a change of the language', async () => {
    const page = await open(`${PATH}?lang=zh`);
    const file = join(await temporaryDirectory(), 'request.txt');
    await writeFile(file, Buffer.from(`\ufeff${curl('{"a":"李"}')}`, 'utf16le'));
    await page.getByLabel('打开文件').setInputFiles(file);
    await follow(page, page.getByRole('link', { name: 'English' }));
    await page.getByRole('button', { name: 'Explain' }).click();
    await page
      .getByRole('region', { name: 'Verdict' })
      .getByText('hex-lowercase', { exact: true })
      .waitFor();
  });

  test('keeps the request in another language, and forgets the secret', async () => {
    const page = await open(`${PATH}?lang=en`);
    const request = curl('{"a":1}');
    await explain(page, request, `a=1${SANDBOX_CREDENTIALS.secret}`);
    await follow(page, page.getByRole('link', { name: '中文' }));
    expect(await page.getByLabel('请求', { exact: true }).inputValue()).toBe(request);
    expect(await page.getByLabel('密钥', { exact: true }).inputValue()).toBe('');
    expect(await page.getByLabel('对方的待签名字符串').inputValue()).toBe('');
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...sessionStorage }, history.state])',
    );
    expect(kept).not.toContain(SANDBOX_CREDENTIALS.secret);
  });

  test('the page of requests hands a request over', async () => {
    // A text area changes line ends.
    const body = '{"slat":30.25,"name":"李’s","list":[\r\n 1]}';
    await postJson(`${url()}/api/open/user/sync`, body, signed(body));
    const page = await open('/requests');
    await page.locator('#rows a').first().click();
    await follow(page, page.getByRole('link', { name: 'Open in the debugger' }));
    expect(await page.getByLabel('Request', { exact: true }).inputValue()).toContain(
      'curl -X POST',
    );
    expect(await page.locator('#sent-at').inputValue()).toMatch(/^\d{10}$/);
    await page.getByRole('button', { name: 'Explain' }).click();
    await page
      .getByRole('region', { name: 'Verdict' })
      .getByText('hex-lowercase', { exact: true })
      .waitFor();
  });

  test('a request with a hidden credential is not handed over', async () => {
    const body = `{"slat":30.25,"note":"${SANDBOX_CREDENTIALS.secret}"}`;
    await postJson(`${url()}/api/open/user/sync`, body, signed(body));
    const page = await open('/requests');
    await page.locator('#rows a').first().click();
    await page.getByText('it contains a hidden credential').waitFor();
    expect(await page.getByRole('link', { name: 'Open in the debugger' }).count()).toBe(0);
  });

  test('neither the page nor its worker may connect', async () => {
    const page = await open(PATH);
    const answer = await page.request.get(`${url()}${PATH}`);
    expect(answer.headers()['content-security-policy']).toContain("connect-src 'none'");
    const worker = await page.request.get(`${url()}/assets/debugger-worker.js`);
    expect(worker.headers()['content-security-policy']).toBe("default-src 'none'");
  });
}
