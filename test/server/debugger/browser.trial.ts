/** The page from disk gives the results of Node, without a network. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explain } from '../../../src/server/debugger/explanation.ts';
import { debuggerFile } from '../../../src/server/debugger/file.ts';
import type { Question, WorkerMessage } from '../../../src/server/debugger/page-data.ts';
import { runSearch } from '../../../src/signing/diagnosis/diagnose.ts';
import { proxyTo } from '../../proxy/support.ts';
import { hasChromium, launchChromium } from '../../sandbox/pages/chromium.ts';
import { FILES, messageOf, onePerDiagnosis, type SuiteVector } from '../../signing/vector-suite.ts';
import { isLong } from '../../trials/scale.ts';

const SENT_AT = 1795769010;
const CAPTURES = join(import.meta.dirname, '../../signing/capture/pasted');

/**
 * Every pasted capture, and one vector of every mistake: in a short run of either mode, in a long run
 * of both.
 */
const QUESTIONS: readonly (readonly [string, Question])[] = [
  ...readdirSync(CAPTURES).map((name) => {
    const request = readFileSync(join(CAPTURES, name));
    return [name, question({ request, secret: 'sandbox-secret' })] as const;
  }),
  ...vectors().map((vector) => {
    const { id, secret, their_canonical: theirs = '' } = vector;
    return [id, question({ request: messageOf(vector), secret, theirs })] as const;
  }),
];

function vectors(): readonly SuiteVector[] {
  const modes = FILES.map(({ file }) => file.vectors);
  const tables = isLong ? modes : [modes.flat()];
  return tables.flatMap((table) => onePerDiagnosis(table, 1));
}

function question(given: Pick<Question, 'request' | 'secret'> & Partial<Question>): Question {
  return { theirs: '', sentAt: SENT_AT, effort: 'low', ...given };
}

async function answerOfNode(asked: Question): Promise<WorkerMessage> {
  try {
    const explanation = await explain(asked, SENT_AT, async (search) => runSearch(search));
    return { kind: 'explained', explanation };
  } catch (error) {
    const { message, details } = error as { message: string; details: { hint?: string } };
    return { kind: 'failed', message, hint: details.hint ?? '' };
  }
}

/** Asks the worker of the page; bytes travel as base64. */
const ASK = `(async ({ request, ...question }) => {
  const script = document.getElementById('worker').textContent;
  window.policy ??= trustedTypes.createPolicy('mop-worker', { createScriptURL: (url) => url });
  window.asked ??= new Worker(
    window.policy.createScriptURL(URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))),
  );
  const bytes = Uint8Array.from(atob(request), (byte) => byte.charCodeAt(0));
  return new Promise((resolve, reject) => {
    window.asked.onerror = reject;
    window.asked.onmessage = ({ data }) => data.kind !== 'progress' && resolve(JSON.stringify(data));
    window.asked.postMessage({ ...question, request: bytes });
  });
})`;

describe.skipIf(!hasChromium)('the file in Chromium', () => {
  const directory = mkdtempSync(join(tmpdir(), 'mop-debugger-'));
  const file = join(directory, 'debugger.html');
  let browser: Browser;
  let page: Page;
  const requested: string[] = [];

  beforeAll(async () => {
    const html = await debuggerFile('en');
    // Only the page itself creates the policy of Trusted Types; the test needs it a second time.
    writeFileSync(file, html.replace('trusted-types mop-worker', "$& 'allow-duplicates'"));
    browser = await launchChromium();
    const context = await browser.newContext({ offline: true });
    page = await context.newPage();
    page.on('request', (request) => requested.push(request.url()));
    await page.goto(pathToFileURL(file).href);
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(directory, { recursive: true });
  });

  it.each(QUESTIONS)('%s', async (_, asked) => {
    const request = Buffer.from(asked.request).toString('base64');
    const answered = await page.evaluate<string>(
      `${ASK}(${JSON.stringify({ ...asked, request })})`,
    );
    const expected = JSON.stringify(await answerOfNode(asked));
    expect(JSON.parse(answered)).toEqual(JSON.parse(expected));
  });

  it('has at most 250 KB when it is compressed', () => {
    expect(gzipSync(readFileSync(file), { level: 9 }).length).toBeLessThan(250_000);
  });

  it('explains the example, and sends nothing', async () => {
    await page.getByRole('button', { name: 'Example' }).click();
    const verdict = page.getByRole('region', { name: 'Verdict' });
    await verdict.getByText('nested-spacing', { exact: true }).waitFor();
    const isFile = (url: string): boolean => url === pathToFileURL(file).href;
    expect(requested.filter((url) => !isFile(url) && !/^(?:blob|data):/.test(url))).toEqual([]);
  });

  it.each([
    ['a fetch', "fetch('https://h.example/')"],
    ['a fetch of its own file', 'fetch(location.href)'],
    ['a beacon', "Promise.reject(navigator.sendBeacon('https://h.example/', 'x') || 'refused')"],
    [
      'a socket',
      "new Promise((_, reject) => { new WebSocket('wss://h.example/').onerror = reject; })",
    ],
    [
      'an image',
      "new Promise((_, reject) => { const image = new Image(); image.onerror = reject; image.src = 'https://h.example/'; })",
    ],
  ])('its policy refuses %s', async (_, script) => {
    // Without the policy, these would fail only because there is no network.
    const violated = page.evaluate<string>(`new Promise((resolve) =>
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
        resolve(effectiveDirective), { once: true }))`);
    await page.evaluate(`(async () => { await ${script}; })().catch(() => {})`);
    expect(await violated).toMatch(/^(?:connect-src|img-src)$/);
  });
});

describe.skipIf(!hasChromium)('the pages of the proxy in Chromium', () => {
  it('explain a request, and list requests', async () => {
    const { url } = await proxyTo('http://127.0.0.1:9');
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.goto(`${url}/platform/debugger`);
      await page.getByRole('button', { name: 'Example' }).click();
      await page.getByText('nested-spacing', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Requests' }).click();
      await page.getByText('Connected', { exact: true }).waitFor();
    } finally {
      await browser.close();
    }
  });
});
