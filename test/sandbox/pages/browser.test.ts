import { execFileSync } from 'node:child_process';
import axe from 'axe-core/axe.min.js?raw';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Route,
} from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { OPENAPI } from '../../../src/sandbox/detection/openapi.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { detected, findChromium, RISKY, SAFE } from './support.ts';

const executablePath = findChromium();
if (!executablePath) {
  console.warn('No Chromium: the pages are not tested. Install it (Debian: apt install chromium).');
}

const PATHS = ['/', '/console', '/onepager', '/api-docs'];
const LANGUAGES = ['en', 'zh'];

/** What a model says, where nothing is wrong with it. */
const VERDICT = { status: 'ok', model: 'm-1', level: 'medium', score: 30, reasons: [] };

/** Answers that are JSON, and no results. */
const NO_RESULTS = [
  null,
  1,
  'text',
  [],
  {},
  { overall_risk: 'none' },
  ...[
    ...[undefined, null, 1, {}].map((text) => ({ text })),
    ...[undefined, null, 3, {}, '', ' '].map((overall_risk) => ({ overall_risk })),
    ...[undefined, null, '72', 1e9, -1, {}, [72]].map((risk_score) => ({ risk_score })),
    ...[undefined, null, {}, 'text', [null], [[]], ['text'], [{}]].map((results) => ({
      results,
    })),
    ...[
      { rule_name: null },
      { level: {} },
      { category: 1 },
      { matched_text: ['words'] },
      { start: '0' },
      { end: null },
      { why: {} },
    ].map((change) => ({ results: [{ rule_name: 'a rule', level: 'low', ...change }] })),
    ...[
      null,
      'off',
      [],
      {},
      { status: 'new' },
      { status: '__proto__' },
      { status: 'ok', model: 'm' },
      { ...VERDICT, reasons: 'a reason' },
      { ...VERDICT, reasons: [null] },
      { ...VERDICT, score: 1e9 },
      { ...VERDICT, score: '30' },
      { ...VERDICT, level: undefined },
      { ...VERDICT, model: {} },
      { status: 'error', model: 'm' },
      { status: 'error', model: 'm', error: null },
      { status: 'error', model: 'm', error: { message: {} } },
    ].map((ai_analysis) => ({ ai_analysis })),
    ...[null, 1, {}].map((safe_rewrite) => ({ safe_rewrite })),
  ].map((change) => ({ ...detected(SAFE), ...change })),
];

/** What a browser says of an answer that is no success: not a mistake of the page. */
const FAILED_LOAD = /^Failed to load resource/;

describe.skipIf(!executablePath)('in Chromium', () => {
  let service: Sandbox;
  let browser: Browser;

  beforeAll(async () => {
    service = await startSandbox();
    browser = await chromium.launch({
      ...(executablePath && { executablePath }),
      // Its sandbox does not work for root.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const pages = new Map<string, Page>();
  let complaints: string[] = [];

  /**
   * Opens an address, in a page for each set of options: pages keep nothing, and a new one takes
   * longer than most tests. It must not complain until the test ends.
   */
  async function open(
    path: string,
    { script, ...options }: BrowserContextOptions & { readonly script?: string } = {},
  ): Promise<Page> {
    const key = JSON.stringify({ script, ...options });
    const page = pages.get(key) ?? (await newPage(options, script));
    pages.set(key, page);
    complaints = [];
    onTestFinished(async () => {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      expect(complaints).toEqual([]);
    });
    await page.goto(new URL(path, service.url).href);
    return page;
  }

  async function newPage(options: BrowserContextOptions, script?: string): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-US', ...options });
    context.setDefaultTimeout(5_000);
    if (script) await context.addInitScript(script);
    const page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      const isComplaint = ['error', 'warning'].includes(message.type());
      if (isComplaint && !FAILED_LOAD.test(message.text())) complaints.push(message.text());
    });
    return page;
  }

  async function check(page: Page, text: string): Promise<void> {
    await page.getByRole('textbox').fill(text);
    await page.keyboard.press('Control+Enter');
  }

  /** Answers checks with a result of our own making. */
  async function answer(page: Page, change: object = {}): Promise<void> {
    await page.route('**/api/detect', (route) => {
      const { text } = route.request().postDataJSON() as { text: string };
      return route.fulfill({ json: { ...detected(text), ...change } });
    });
  }

  /** Checks a text, which is answered in a way of our own, and expects an error in words. */
  async function expectFailure(
    page: Page,
    reply: Parameters<Route['fulfill']>[0],
    words: string,
  ): Promise<void> {
    await page.route('**/api/detect', (route) => route.fulfill(reply));
    await check(page, SAFE);
    expect(await alertOf(page), JSON.stringify(reply)).toContain(words);
    expect(await page.getByRole('status').textContent()).toBe('');
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    expect(await page.getByRole('region', { name: 'Result' }).isVisible()).toBe(false);
  }

  describe.each(PATHS)('%s', (path) => {
    test('fits, from a telephone to a wide screen', async () => {
      for (const language of LANGUAGES) {
        const page = await open(`${path}?lang=${language}`, { viewport: null });
        for (const width of [320, 768, 1600]) {
          await page.setViewportSize({ width, height: 800 });
          const excess =
            'document.documentElement.scrollWidth - document.documentElement.clientWidth';
          expect([language, width, await page.evaluate(excess)]).toEqual([language, width, 0]);
        }
      }
    });

    test('has landmarks, one heading of the first rank, a skip link', async () => {
      const page = await open(path);
      for (const role of ['banner', 'main', 'contentinfo'] as const) {
        expect(await page.getByRole(role).count()).toBe(1);
      }
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
      const pages = page.getByRole('navigation', { name: 'Pages' });
      expect(await pages.getByRole('link').count()).toBe(PATHS.length);
      expect(await pages.locator('[aria-current=page]').getAttribute('href')).toBe(path);

      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe('Skip to the content');
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.id')).toBe('main');
    });
  });

  test('the language changes, and stays', async () => {
    const page = await open('/console', { locale: 'zh-CN' });
    expect(await language(page.locator('html'))).toBe('zh-CN');
    await page.getByRole('link', { name: 'English' }).click();
    expect([new URL(page.url()).pathname, await language(page.locator('html'))]).toEqual([
      '/console',
      'en',
    ]);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').last().click();
    expect([new URL(page.url()).pathname, await language(page.locator('html'))]).toEqual([
      '/api-docs',
      'en',
    ]);
    await page.getByRole('link', { name: '中文' }).click();
    expect(await language(page.locator('html'))).toBe('zh-CN');
  });

  test.each(PATHS)('axe finds nothing on %s', async (path) => {
    const page = await open(path, { bypassCSP: true, reducedMotion: 'reduce' });
    if (path === '/') {
      await answer(page);
      await check(page, RISKY.text);
      await page.getByRole('meter').waitFor();
    }
    await page.addScriptTag({ content: axe });
    const violations = (options: string) =>
      page.evaluate(`axe.run(${options}).then(({ violations }) =>
        violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await violations('{}')).toEqual([]);
    // The scheme changes colours alone.
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations("{ runOnly: ['color-contrast'] }")).toEqual([]);
  });

  describe('a check', () => {
    test('of a risky text shows what, where and why', async () => {
      const page = await open('/');
      await answer(page);
      await check(page, RISKY.text);
      const result = page.getByRole('region', { name: 'Result' });
      await result.waitFor();
      expect(await focused(page)).toBe('Result');
      expect(await page.getByRole('status').textContent()).toBe('High risk, score 72 of 100.');
      expect(await result.locator('#level').textContent()).toBe('High risk');
      const meter = result.getByRole('meter', { name: 'Score' });
      expect(await meter.evaluate(({ value }) => value)).toBe(72);
      expect(await result.getByRole('list', { name: 'What the rules found' }).innerText()).toMatch(
        /Claims to be all .*High risk.*Dependency.*You only need me.*An assistant that presents/s,
      );
      const marked = result.getByRole('group', { name: 'Where it stands' });
      expect(await marked.textContent()).toBe(RISKY.text);
      expect(await marked.locator('mark').allTextContents()).toEqual([RISKY.matched]);
      expect(await result.locator('#model').innerText()).toContain('No model is configured');
      expect(await result.getByRole('group', { name: 'A safer wording' }).textContent()).toContain(
        'people who care',
      );
    });

    test('of a safe text says that it can stay', async () => {
      const page = await open('/');
      await answer(page);
      await check(page, SAFE);
      const result = page.getByRole('region', { name: 'Result' });
      expect(await result.innerText()).toMatch(/No risk.*No rule matched\..*can stay as it is/s);
      expect(await result.getByRole('button').count()).toBe(0);
    });

    test('in Chinese has Chinese words', async () => {
      const page = await open('/?lang=zh');
      await answer(page);
      await page.getByRole('textbox', { name: 'AI 要说的话' }).fill(RISKY.text);
      await page.getByRole('button', { name: '检测', exact: true }).click();
      await page.getByRole('region', { name: '结果' }).waitFor();
      expect(await page.getByRole('status').textContent()).toBe('高风险，分数 72 / 100。');
      expect(await page.locator('.facts').innerText()).toMatch(/高风险\s+情感依赖/);
    });

    test.each([
      ['en', 'zh-CN', 'en'],
      ['zh', 'en-US', 'zh-CN'],
    ])('asks for names and reasons in the language of the page: %s', async (asked, locale, tag) => {
      const page = await open(`/?lang=${asked}`, { locale });
      const why = { en: 'a reason', zh: '一个原因' };
      await page.route('**/api/detect', async (route) => {
        const language = (await route.request().headerValue('accept-language')) as 'en' | 'zh';
        const hit = { rule_name: `in ${language}`, level: 'low', why: why[language] };
        return route.fulfill({ json: { ...detected(SAFE), results: [hit] } });
      });
      await check(page, SAFE);
      const rule = page.locator('.rule');
      expect(await rule.getByRole('heading').textContent()).toBe(`in ${asked}`);
      expect(await language(rule.getByRole('heading'))).toBe(tag);
      expect(await language(rule.getByText(why[asked as 'en' | 'zh']))).toBe(tag);
    });

    test('reaches the service with the language of the page', async () => {
      for (const asked of LANGUAGES) {
        const page = await open(`/?lang=${asked}`, { locale: 'fr-FR' });
        const sent = page.waitForRequest('**/api/detect');
        await check(page, SAFE);
        const headers = await (await sent).allHeaders();
        expect(headers['accept-language']).toBe(asked);
      }
    });

    test('of an example needs one press, and finds what its name says', async () => {
      const page = await open('/');
      const examples = [
        ['Risky', 'en', /^(High|Critical) risk, /],
        ['Safe', 'en', /^No risk, /],
        ['有风险', 'zh-CN', /^(High|Critical) risk, /],
        ['无风险', 'zh-CN', /^No risk, /],
        ['Quoted', 'en', /^No risk, /],
        ['引用', 'zh-CN', /^No risk, /],
      ] as const;
      for (const [name, tag, verdict] of examples) {
        const button = page.getByRole('button', { name, exact: true });
        const answered = page.waitForResponse('**/api/detect');
        await button.click();
        const { text } = (await (await answered).json()) as { text: string };
        expect(await page.getByRole('textbox').inputValue()).toBe(text);
        expect(await language(button)).toBe(tag);
        await page.getByRole('status').filter({ hasText: verdict }).waitFor({ state: 'attached' });
        expect(await page.locator('#marked').textContent()).toBe(text);
      }
    });

    test('works with the keyboard alone', async () => {
      const page = await open('/', { script: VOICELESS });
      await answer(page);
      const press = async (...keys: readonly string[]) => {
        for (const key of keys) await page.keyboard.press(key);
      };
      while ((await page.evaluate('document.activeElement.id')) !== 'text') await press('Tab');
      await page.keyboard.type(RISKY.text);
      await press('Control+Enter');
      await page.getByRole('region', { name: 'Result' }).waitFor();
      expect(await focused(page)).toBe('Result');
      await press('Tab', 'Tab', 'Tab');
      expect(await focused(page)).toBe('Copy');

      await press('Shift+Tab', 'Shift+Tab', 'Shift+Tab');
      expect(await focused(page)).toBe('Check');
      await page.getByRole('textbox').fill(SAFE);
      await page.getByRole('button', { name: 'Check', exact: true }).focus();
      await press('Enter');
      await page.getByText('No rule matched.').waitFor();
    });

    test('of nothing says so, and sends nothing', async () => {
      const page = await open('/');
      await page.route('**/api/detect', () => expect.unreachable());
      await check(page, ' \n ');
      expect(await page.getByRole('alert').textContent()).toMatch(/enter a text first/);
      const box = page.getByRole('textbox');
      expect(await box.getAttribute('aria-invalid')).toBe('true');
      expect(await page.evaluate('document.activeElement.id')).toBe('text');
    });

    test('that the service refuses shows its reason in words', async () => {
      const page = await open('/');
      await check(page, RISKY.text);
      await page.getByRole('region', { name: 'Result' }).waitFor();
      await check(page, '😀'.repeat(100_001));
      await page.getByText('shorten it to 100,000 characters').waitFor();
      expect(await page.getByRole('region', { name: 'Result' }).isVisible()).toBe(false);
      expect(await page.locator('#counter').textContent()).toBe('100,001 of 100,000 characters');
    });

    test('of more than the service reads is too long, too', async () => {
      const page = await open('/');
      const answered = page.waitForResponse('**/api/detect');
      // Three bytes each: more than 2 MiB.
      await check(page, '你'.repeat(800_000));
      expect((await answered).status()).toBe(400);
      expect(await alertOf(page)).toBe('The text is too long: shorten it to 100,000 characters.');
    });

    test('answered in any other way is an error, not a result', async () => {
      const page = await open('/');
      const replies = [
        [
          { status: 400, json: { error: { code: 'new_code', message: 'a new reason' } } },
          'a new reason',
        ],
        [{ status: 502, body: '<h1>502</h1>' }, 'something unexpected (HTTP 502).'],
        ...['constructor', '__proto__', 'toString', 'network', 400, null, {}, ['bad_json']].map(
          (code) => [{ status: 400, json: { error: { code } } }, 'unexpected (HTTP 400).'] as const,
        ),
        ...['', ' ', 1, null, {}].map((message) => {
          const error = { code: 'new_code', message };
          return [{ status: 400, json: { error } }, 'unexpected (HTTP 400).'] as const;
        }),
        ...[null, 'text', 1, [], {}].map(
          (error) => [{ status: 400, json: { error } }, 'unexpected (HTTP 400).'] as const,
        ),
        [
          { status: 400, json: { error: { code: 'new_code', message: 'a {status} {toString}' } } },
          'a {status} {toString}',
        ],
        [{ status: 400, json: { error: { code: 'bad_text' } } }, 'The text must be a string.'],
      ] as const;
      for (const [reply, words] of replies) await expectFailure(page, reply, words);
    });

    test('answered with what is no result is an error, too', async () => {
      const page = await open('/');
      await answer(page);
      await check(page, RISKY.text);
      await page.getByRole('region', { name: 'Result' }).waitFor();
      for (const json of NO_RESULTS) {
        await expectFailure(page, { json }, 'unexpected (HTTP 200).');
      }
    });

    test('answered with names that every object has shows them as they came', async () => {
      const page = await open('/');
      for (const name of ['__proto__', 'constructor', 'toString']) {
        const hit = { rule_name: name, level: name, category: name, matched_text: name, why: name };
        await answer(page, {
          overall_risk: name,
          results: [hit],
          ai_analysis: { status: 'ok', model: name, level: name, score: 1, reasons: [name] },
        });
        await check(page, SAFE);
        await page
          .getByRole('status')
          .filter({ hasText: `${name}, score 0` })
          .waitFor();
        expect(await page.locator('#level').textContent()).toBe(name);
        expect(await page.locator('.facts span').allTextContents()).toEqual([name, name]);
        expect(await page.locator('#model').textContent()).toContain(
          `${name}: ${name}, score 1 of`,
        );
      }
    });

    test('whose result the page fails to show is an error, and the next one works', async () => {
      const page = await open('/');
      await answer(page);
      await page.evaluate(`
        const list = document.querySelector('#rules');
        list.replaceChildren = () => {
          delete list.replaceChildren;
          throw new Error('a mistake');
        };`);
      await check(page, RISKY.text);
      expect(await alertOf(page)).toBe('The service answered, but this page failed to show it.');
      expect(await page.getByRole('status').textContent()).toBe('');
      expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
      expect(await page.getByRole('region', { name: 'Result' }).isVisible()).toBe(false);
      expect(complaints.splice(0)).toEqual(['Error: a mistake']);
      await check(page, RISKY.text);
      await page.getByRole('region', { name: 'Result' }).waitFor();
      expect(await page.getByRole('alert').textContent()).toBe('');
    });

    test('without a service explains that', async () => {
      const short = await startSandbox();
      const page = await open(short.url);
      await short.close();
      await check(page, SAFE);
      expect(await alertOf(page)).toContain('Is the sandbox still running?');
    });

    test('can be cancelled', async () => {
      const page = await open('/');
      const held = hold(page);
      await check(page, RISKY.text);
      await held.count(1);
      expect(await page.getByRole('status').textContent()).toBe('Checking…');
      await page.getByRole('button', { name: 'Cancel' }).click();
      expect(await page.getByRole('status').textContent()).toBe('Cancelled.');
      expect(await page.evaluate('document.activeElement.id')).toBe('text');
      expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
      expect(await page.getByRole('region', { name: 'Result' }).isVisible()).toBe(false);
    });

    test('gives way to a later one', async () => {
      const page = await open('/');
      const held = hold(page);
      await check(page, RISKY.text);
      await held.count(1);
      await check(page, SAFE);
      const [first, second] = await held.count(2);
      await second?.fulfill({ json: detected(SAFE) });
      await page.getByText('No rule matched.').waitFor();
      // Nobody waits for it any more.
      await first?.fulfill({ json: detected(RISKY.text) }).catch(() => {});
      expect(await page.locator('#level').textContent()).toBe('No risk');
      expect(await page.getByRole('alert').textContent()).toBe('');
    });

    test('does not take the focus of who goes on writing', async () => {
      const page = await open('/');
      const held = hold(page);
      await page.getByRole('textbox').fill(RISKY.text);
      await page.keyboard.press('Control+Enter');
      const [request] = await held.count(1);
      await page.keyboard.type(' And more.');
      await request?.fulfill({ json: detected(RISKY.text) });
      await page.getByRole('region', { name: 'Result' }).waitFor();
      expect(await page.evaluate('document.activeElement.id')).toBe('text');
    });

    test('of a hundred thousand characters marks every match', async () => {
      const page = await open('/');
      await answer(page);
      await check(page, `${RISKY.matched}. `.repeat(5_555));
      await page.getByRole('region', { name: 'Result' }).waitFor();
      expect(await page.locator('mark').count()).toBe(5_555);
      expect(await page.locator('.rule').count()).toBe(1);
    });

    test('puts marks where they belong, once for each character, and never markup', async () => {
      const page = await open('/');
      const text = '😀 <b>one</b> two three';
      const hit = (words: string, level = 'low', start = text.indexOf(words)) => ({
        rule_name: '<img src=x>',
        level,
        matched_text: words,
        start,
        end: start + words.length,
      });
      const results = [
        hit('two three', 'critical'),
        hit('<b>one'),
        hit('one</b> two', 'medium'),
        hit('outside', 'low', text.length),
        { rule_name: 'nowhere', level: 'severe' },
      ];
      await answer(page, { overall_risk: 'severe', results });
      await check(page, text);
      await page.getByRole('region', { name: 'Result' }).waitFor();
      const marks = page.locator('mark');
      expect(await marks.allTextContents()).toEqual(['<b>one</b> two three']);
      expect(await marks.first().getAttribute('data-level')).toBe('critical');
      expect(await page.locator('#marked').textContent()).toBe(text);
      // A level that is not known is shown as it came.
      expect(await page.locator('#level').textContent()).toBe('severe');
      expect(await page.locator('#rules img, #marked b').count()).toBe(0);
    });

    test('lists the first wordings of a rule, and how many more there are', async () => {
      const page = await open('/');
      const results = Array.from({ length: 25 }, (_, index) => ({
        rule_name: 'a rule',
        level: 'low',
        matched_text: `wording ${index % 13}`,
      }));
      await answer(page, { results });
      await check(page, SAFE);
      await page.getByRole('region', { name: 'Result' }).waitFor();
      expect(await page.locator('.wordings q').count()).toBe(10);
      expect(await page.locator('.wordings').innerText()).toContain('and 3 more');
    });

    test.each([
      [
        { status: 'ok', model: 'm-1', level: 'medium', score: 30, reasons: ['first', 'second'] },
        'm-1: Medium risk, score 30 of 100.\nfirst\nsecond',
      ],
      [
        { status: 'error', model: 'm-1', error: { code: 'timeout', message: 'no answer in 30 s' } },
        'm-1 gave no verdict, so the rules alone decided: no answer in 30 s',
      ],
    ])('shows what the model said: %j', async (ai_analysis, words) => {
      const page = await open('/');
      await answer(page, { ai_analysis });
      await check(page, SAFE);
      const model = page.locator('#model');
      await model.waitFor();
      expect((await model.innerText()).replaceAll(/\n+/g, '\n')).toBe(words);
    });

    test('the rewrite can be copied', async () => {
      const page = await open('/', { permissions: ['clipboard-read', 'clipboard-write'] });
      await answer(page);
      await check(page, RISKY.text);
      await page.getByRole('button', { name: 'Copy' }).click();
      await page.getByText('Copied.').waitFor();
      const rewrite = detected(RISKY.text).safe_rewrite;
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(rewrite);
    });

    test('a rewrite that may not be copied is selected instead', async () => {
      const script = 'navigator.clipboard.writeText = () => Promise.reject(new Error())';
      const page = await open('/', { script });
      await answer(page);
      await check(page, RISKY.text);
      await page.getByRole('button', { name: 'Copy' }).click();
      expect(await alertOf(page)).toContain('The text is selected');
      const rewrite = detected(RISKY.text).safe_rewrite;
      expect(await page.evaluate('getSelection().toString()')).toBe(rewrite);
    });
  });

  describe('voice', () => {
    test('that a browser lacks is explained, without a dead button', async () => {
      const page = await open('/', { script: VOICELESS });
      await answer(page);
      await check(page, RISKY.text);
      await page.getByRole('region', { name: 'Result' }).waitFor();
      expect(await page.getByText('Dictation is not available').isVisible()).toBe(true);
      expect(await page.getByText('Reading aloud is not available').isVisible()).toBe(true);
      expect(await page.getByRole('button', { name: /Dictate|Read/ }).count()).toBe(0);
      expect(await page.getByText('Some browsers send').isVisible()).toBe(false);
    });

    test('what is said lands in the text, where the cursor is', async () => {
      const page = await open('/', { script: VOICE });
      const box = page.getByRole('textbox');
      await box.fill('Start.');
      await page.getByRole('button', { name: 'Dictate' }).click();
      expect(await page.getByRole('status').textContent()).toBe('Listening…');
      await page.evaluate(`heard(['You only'], false)`);
      await page.evaluate(`heard(['You only need me'], true)`);
      await page.evaluate(`heard(['and nobody else'], true)`);
      await page.getByRole('button', { name: 'Stop dictating' }).click();
      expect(await box.inputValue()).toBe('Start. You only need me and nobody else');
      expect(await page.locator('#counter').textContent()).toMatch(/^39 of/);
      expect(await page.getByRole('status').textContent()).toBe('Dictation has ended.');
      expect(await page.getByRole('button', { name: 'Dictate' }).count()).toBe(1);
      expect(await page.evaluate('recognition.lang')).toBe('en');
    });

    test('Chinese is joined without spaces', async () => {
      const page = await open('/?lang=zh', { script: VOICE });
      await page.getByRole('button', { name: '语音输入' }).click();
      await page.evaluate(`heard(['你只需要我'], true)`);
      await page.evaluate(`heard(['没有人懂你'], true)`);
      expect(await page.getByRole('textbox').inputValue()).toBe('你只需要我没有人懂你');
      expect(await page.evaluate('recognition.lang')).toBe('zh-CN');
    });

    test.each([
      ['not-allowed', 'The browser may not use the microphone.'],
      ['bad-grammar', 'The dictation failed (bad-grammar).'],
      ['constructor', 'The dictation failed (constructor).'],
    ])('a dictation that fails (%s) says why', async (error, words) => {
      const page = await open('/', { script: VOICE });
      await page.getByRole('button', { name: 'Dictate' }).click();
      await page.evaluate(`recognition.onerror({ error: '${error}' }); recognition.onend()`);
      expect(await alertOf(page)).toContain(words);
      expect(await page.getByRole('button', { name: 'Dictate' }).count()).toBe(1);
    });

    test('reads the rewrite sentence by sentence, in its language', async () => {
      const page = await open('/', { script: VOICE });
      await answer(page, { safe_rewrite: 'I am here. 你并不孤单。' });
      await check(page, RISKY.text);
      await page.getByRole('button', { name: 'Read aloud' }).click();
      expect(await page.evaluate('spoken.map(({ text, lang }) => [text.trim(), lang])')).toEqual([
        ['I am here.', 'en'],
        ['你并不孤单。', 'zh-CN'],
      ]);
      await page.evaluate('spoken[0].onend()');
      expect(await page.getByRole('button', { name: 'Stop reading' }).count()).toBe(1);
      await page.evaluate('spoken[1].onend()');
      expect(await page.getByRole('button', { name: 'Read aloud' }).count()).toBe(1);

      await page.getByRole('button', { name: 'Read aloud' }).click();
      await page.getByRole('button', { name: 'Stop reading' }).click();
      expect(await page.getByRole('alert').textContent()).toBe('');
      await page.getByRole('button', { name: 'Read aloud' }).click();
      await page.evaluate('spoken.at(-1).onerror()');
      expect(await alertOf(page)).toContain('it may have no voice');
    });
  });

  describe('the console', () => {
    test('shows a request as it goes out, and its answer', async () => {
      const page = await open('/console');
      const body = JSON.stringify({ text: RISKY.text });
      await page.getByRole('textbox', { name: 'Body, JSON' }).fill(body);
      expect(await textOf(page, 'As it is sent')).toBe(
        [
          'POST /api/detect HTTP/1.1',
          `Host: ${new URL(service.url).host}`,
          'Accept: application/json',
          'Content-Type: application/json',
          '',
          body,
        ].join('\n'),
      );
      const sent = page.waitForRequest('**/api/detect');
      await page.keyboard.press('Control+Enter');
      const request = await sent;
      expect([request.method(), request.postData()]).toEqual(['POST', body]);
      expect(request.headers()).toMatchObject({
        accept: 'application/json',
        'content-type': 'application/json',
      });
      await page.getByText(/^HTTP 200 OK after \d+ ms$/).waitFor();
      expect(await textOf(page, 'Headers')).toContain('content-type: application/json');
      const answered = await textOf(page, 'Body');
      const result = JSON.parse(answered) as unknown;
      expect(result).toMatchObject({ text: RISKY.text, ai_analysis: { status: 'off' } });
      expect(answered).toBe(JSON.stringify(result, null, 2));
    });

    test('asks for the health', async () => {
      const page = await open('/console');
      await page.getByLabel('Endpoint').selectOption('GET /api/health');
      expect(await page.getByRole('textbox').count()).toBe(0);
      expect(words(await textOf(page, 'The same with curl'), 'curl')).toEqual([
        '-H',
        'Accept: application/json',
        `${service.url}/api/health`,
      ]);
      expect(await textOf(page, 'The same with mop')).toBe(
        `MOP_DETECT_URL=${service.url} mop health --json`,
      );
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText(/^HTTP 200/).waitFor();
      expect(JSON.parse(await textOf(page, 'Body'))).toMatchObject({ status: 'ok' });
    });

    test('its command lines survive a shell', async () => {
      const page = await open('/console');
      const texts = [
        'plain',
        'it’s "quoted" $HOME `id` \\ !',
        "it's\nin two lines",
        '-n',
        '@file',
        '你好 😀',
      ];
      for (const text of texts) {
        const body = JSON.stringify({ text });
        await page.getByRole('textbox').fill(body);
        expect(words(await textOf(page, 'The same with curl'), 'curl')).toEqual([
          '-X',
          'POST',
          '-H',
          'Accept: application/json',
          '-H',
          'Content-Type: application/json',
          '--data-raw',
          body,
          `${service.url}/api/detect`,
        ]);
        const piped = /^[-@]/.test(text);
        expect(words(await textOf(page, 'The same with mop'), 'mop')).toEqual([
          ...(piped ? [text] : []),
          'detect',
          piped ? '-' : text,
          '--json',
        ]);
      }
    });

    test('what mop cannot send is not shown as if it could', async () => {
      const page = await open('/console');
      const bodies = ['{', '{"text":1}', '{"text":" "}', '{"text":"a","b":1}', '[]', 'null'];
      for (const body of bodies) {
        await page.getByRole('textbox').fill(body);
        expect(await textOf(page, 'The same with mop')).toMatch(/^# mop detect sends a text alone/);
        expect(await page.getByText('This is not JSON').isVisible()).toBe(body === '{');
      }
    });

    test('shows a refusal as any other answer', async () => {
      const page = await open('/console');
      await page.getByRole('textbox').fill('{}');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText(/^HTTP 400 Bad Request/).waitFor();
      expect(await textOf(page, 'Body')).toContain('"missing_text"');
    });

    test('shows JSON that is nested too deeply to indent as it came', async () => {
      const page = await open('/console');
      const body = '['.repeat(50_000) + ']'.repeat(50_000);
      await page.route('**/api/detect', (route) => route.fulfill({ body }));
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText(/^HTTP 200/).waitFor();
      expect(await textOf(page, 'Body')).toBe(body);
    });

    test('can be cancelled, and explains that nobody answers', async () => {
      const short = await startSandbox();
      const page = await open(`${short.url}/console`);
      const held = hold(page);
      await page.getByRole('button', { name: 'Send' }).click();
      await held.count(1);
      await page.getByRole('button', { name: 'Cancel' }).click();
      expect(await page.getByRole('status').textContent()).toBe('Cancelled.');
      await page.unrouteAll();
      await short.close();
      await page.getByRole('button', { name: 'Send' }).click();
      expect(await alertOf(page)).toContain('Is the sandbox still running?');
    });

    test.each(LANGUAGES)('calculates an example price (%s)', async (language) => {
      const page = await open(`/console?lang=${language}`);
      const note = { en: 'Example prices. The service’s document shows none.' }[language];
      if (note) expect(await page.getByText(note).isVisible()).toBe(true);
      const fill = async (values: Readonly<Record<string, string>>) => {
        for (const [id, value] of Object.entries(values)) await page.locator(`#${id}`).fill(value);
      };
      const costs = () => page.getByRole('table').locator('td').allTextContents();
      // 300,000 texts a month: 60 million characters by rules, 24 million through the model.
      expect(await costs()).toEqual(['¥30.00', '$4.17', '¥192.00', '$26.67', '¥222.00', '$30.83']);
      await fill({ 'per-day': '1000000', length: '1000', share: '0', rate: '8' });
      expect((await costs()).slice(-2)).toEqual(['¥15,000.00', '$1,875.00']);
      await fill({ share: '100', prompt: '0', 'model-price': '2', 'rule-price': '0' });
      expect((await costs()).slice(-2)).toEqual(['¥60,000.00', '$7,500.00']);

      for (const [id, value] of Object.entries({
        share: '101',
        length: '-1',
        rate: '0',
        'per-day': '',
      })) {
        const before = await page.locator(`#${id}`).inputValue();
        await fill({ [id]: value });
        expect(await costs()).toEqual(Array(6).fill('–'));
        expect(await page.locator('#price-error').textContent()).not.toBe('');
        await fill({ [id]: before });
      }
      expect(await page.locator('#price-error').textContent()).toBe('');
      expect(await page.getByRole('spinbutton').count()).toBe(7);
    });
  });

  test('the landing page has the twelve families and a diagram in words', async () => {
    const page = await open('/onepager');
    const families = page.getByRole('region', { name: 'Twelve families of risk' });
    expect(await families.getByRole('term').count()).toBe(12);
    const diagram = page.getByRole('img', { name: /How a reply passes through the service/ });
    expect(await diagram.count()).toBe(1);
    await page.getByRole('link', { name: 'Try the API' }).click();
    expect(new URL(page.url()).pathname).toBe('/console');
  });

  test.each(LANGUAGES)(
    'the documentation lists every path, schema and link (%s)',
    async (language) => {
      const page = await open(`/api-docs?lang=${language}`);
      const headings = await page.getByRole('heading', { level: 3 }).allTextContents();
      const { paths = {}, components = {} } = OPENAPI;
      for (const [path, item] of Object.entries(paths)) {
        for (const method of Object.keys(item ?? {})) {
          expect(headings.join('\n')).toContain(`${method.toUpperCase()} ${path} `);
        }
      }
      for (const name of Object.keys(components.schemas ?? {})) expect(headings).toContain(name);

      const broken = `[...document.querySelectorAll('main a[href^="#"]')]
      .filter((link) => !document.getElementById(link.hash.slice(1)))
      .map((link) => link.hash)`;
      expect(await page.evaluate(broken)).toEqual([]);
      expect(await page.getByText('undefined').count()).toBe(0);
      await page.getByText(/(Example|示例)[:：] A text without risk$/).click();
      await page.getByText(SAFE).first().waitFor();
      await page.getByRole('link', { name: 'OpenAPI 3.1' }).click();
      expect(new URL(page.url()).pathname).toBe('/openapi.json');
    },
  );
});

/** A browser without any voice. */
const VOICELESS = `
  for (const name of ['SpeechRecognition', 'webkitSpeechRecognition', 'speechSynthesis']) {
    delete window[name];
  }`;

/** A browser that hears what \`heard\` is told, and whose speech is kept. */
const VOICE = `
  window.SpeechRecognition = class {
    start() { window.recognition = this; }
    stop() { this.onend(); }
  };
  window.results = [];
  window.heard = ([transcript], isFinal) => {
    const result = Object.assign([{ transcript }], { isFinal });
    const last = results.at(-1);
    if (last && !last.isFinal) results.pop();
    results.push(result);
    recognition.onresult({ resultIndex: results.length - 1, results });
  };
  window.spoken = [];
  Object.defineProperty(window, 'speechSynthesis', {
    value: { speak: (utterance) => spoken.push(utterance), cancel() {} },
  });`;

/** What has the focus, in its words. */
function focused(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement.textContent.trim()');
}

/** The language of an element. */
function language(element: Locator): Promise<string | null> {
  return element.evaluate((element) => element.closest('[lang]')?.getAttribute('lang') ?? null);
}

/** The error that is shown, as soon as one is. */
async function alertOf(page: Page): Promise<string | null> {
  const alert = page.locator('#error:not(:empty)');
  await alert.waitFor();
  return alert.textContent();
}

/** The content of a titled block of code. */
async function textOf(page: Page, title: string): Promise<string> {
  return (await page.getByRole('group', { name: title, exact: true }).textContent()) ?? '';
}

/** Keeps checks waiting. */
function hold(page: Page): { count(least: number): Promise<readonly Route[]> } {
  const routes: Route[] = [];
  const routed = page.route('**/api/detect', (route) => {
    routes.push(route);
  });
  return {
    async count(least) {
      await routed;
      await expect.poll(() => routes.length, { interval: 5 }).toBeGreaterThanOrEqual(least);
      return routes;
    },
  };
}

/** The words that a shell makes of a command line; what is piped into the command comes first. */
function words(line: string, command: string): string[] {
  const piped = line.includes(' | ') ? "cat; printf '\\0'; " : '';
  const script = `${command}() { ${piped}printf '%s\\0' "$@"; }\n${line}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}
