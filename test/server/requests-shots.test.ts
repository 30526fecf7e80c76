import { createHash } from 'node:crypto';
import { chromium } from 'playwright-core';
import { test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../src/protocol/sandbox.ts';
import { signBody } from '../../src/signing/body-mode.ts';
import {
  call,
  callForm,
  callHeaders,
  filePart,
  formBody,
  post,
  send,
  start,
  textPart,
} from '../sandbox/support.ts';

test('shots', async () => {
  const { url } = await start({ now: Date.now });
  const seconds = () => Math.floor(Date.now() / 1000);
  const good = () => call({ url }, undefined, { timestamp: seconds() });
  await good();
  await callHeaders({ url }, undefined, { timestamp: seconds() }, (h) => ({
    ...h,
    'X-TMS-Sign': h['X-TMS-Sign']!.toLowerCase(),
    Authorization: 'Bearer abcdefghi',
  }));
  // wrong: nested with spaces
  const fields = {
    z: { b: 1, a: [1, 2] },
    name: 'Ana  María\t<b>x</b>',
    price: 30.1,
    bill_date: '2026-11-19',
    bill_type: 0,
    tar_type: 0,
  };
  const body = JSON.parse(
    signBody(JSON.stringify(fields), SANDBOX_CREDENTIALS, { timestamp: seconds() }).body,
  );
  const { sign, ...rest } = body;
  const canonical = Object.keys(rest)
    .sort()
    .map((k) => `${k}=${typeof rest[k] === 'object' ? '{"b": 1, "a": [1, 2]}' : rest[k]}`)
    .join('&');
  rest.sign = createHash('md5')
    .update(canonical + 'sandbox-secret')
    .digest('hex')
    .toUpperCase();
  await post({ url }, JSON.stringify(rest), '/open/v1/user/sync');
  await callForm(
    { url },
    { name: 'x', age: '3' },
    formBody([textPart('name', 'x'), textPart('age', '3'), filePart('photo', 'a "b".png', 'abc')]),
  );
  await post({ url }, '{"api_key":"sandbox"');
  await post({ url }, '{"apiKey":"sandbox"}', '/open/v1/param/decode');
  await send(url + '/api/health');
  await send(url + '/api/detect', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"text":"hello"}',
  });
  await send(url + '/graphql?query={__typename}');
  for (let i = 0; i < 6; i++) await good();
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  for (const [name, options] of Object.entries({
    wide: { viewport: { width: 1500, height: 1000 } },
    phone: { viewport: { width: 390, height: 844 } },
    dark: { viewport: { width: 1500, height: 1000 }, colorScheme: 'dark' as const },
    phonedark: { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const },
  })) {
    const page = await (await browser.newContext({ ...options, locale: 'en-US' })).newPage();
    page.on('console', (m) => console.log(name, m.type(), m.text()));
    page.on('pageerror', (e) => console.log(name, String(e)));
    await page.goto(`${url}/requests`);
    await page.locator('#rows tr').first().waitFor();
    await page.waitForTimeout(300);
    await page.screenshot({ path: `/tmp/shots/${name}-list.png` });
    await page.locator('#rows a[href="#3"]').click();
    await page.locator('#layers section').last().waitFor();
    await page.screenshot({ path: `/tmp/shots/${name}-open.png` });
    if (name.startsWith('phone'))
      await page.screenshot({ path: `/tmp/shots/${name}-open-full.png`, fullPage: true });
    else {
      await page.setViewportSize({ width: 1500, height: 3000 });
      await page.screenshot({ path: `/tmp/shots/${name}-open-full.png` });
    }
    await page.goto(`${url}/requests#4`);
    await page.reload();
    await page.locator('#layers section').last().waitFor();
    await page.screenshot({ path: `/tmp/shots/${name}-form.png`, fullPage: true });
    try {
      const p = await page.goto(`${url}/platform`);
      if (p?.ok())
        await page.screenshot({ path: `/tmp/shots/${name}-platform.png`, fullPage: true });
    } catch {}
  }
  await browser.close();
});
