import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import OPENAPI from '../../../src/sandbox/detection/openapi.json' with { type: 'json' };
import { startSandbox } from '../../../src/sandbox/server.ts';
import {
  alertOf,
  answer,
  check,
  expectAccessible,
  focused,
  follow,
  hold,
  LANGUAGES,
  language,
  type Pages,
} from './browser.ts';
import { RISKY, SAFE } from './support.ts';

/** The steps from an opened page to the state with most content. */
const PAGES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  '/': async (page) => {
    await answer(page);
    await check(page, RISKY.text);
    await page.getByRole('meter').first().waitFor();
    await page.locator('summary').click();
  },
  '/console': async (page) => {
    await page.locator('#send').click();
    await page.getByText(/^HTTP 200/).waitFor();
  },
  '/onepager': async () => {},
  '/api-docs': (page) =>
    page.evaluate('for (const part of document.querySelectorAll("details")) part.open = true'),
  '/platform': async () => {},
  '/platform/debugger': async (page) => {
    await page.locator('#example').click();
    await page.locator('.mistakes').waitFor();
    await page.evaluate(
      'for (const part of document.querySelectorAll("details")) part.open = true',
    );
  },
  '/requests': async () => {},
  '/lost': async () => {},
};

const PATHS = Object.keys(PAGES);

/** Buttons that are outside the box of their code, or cover the code. */
const MISPLACED = `[...document.querySelectorAll('.copyable button')]
  .filter((button) => {
    const [inner, box, code] = [button, button.parentElement, button.nextElementSibling]
      .map((element) => element.getBoundingClientRect());
    const covers = inner.left < code.right && inner.bottom > code.top;
    return covers || inner.right > box.right || inner.top < box.top || inner.bottom > box.bottom;
  })
  .map(({ dataset }) => dataset.copy)`;

export function describeEveryPage({ open, url }: Pages): void {
  describe.each(PATHS)('%s', (path) => {
    test.each(LANGUAGES)('fits any screen, and axe finds nothing (%s)', async (language) => {
      // For axe: its script, and no colour of a transition.
      const options = { bypassCSP: true, reducedMotion: 'reduce' } as const;
      const page = await open(`${path}?lang=${language}`, { viewport: null, ...options });
      await PAGES[path]?.(page);
      for (const width of [320, 768, 1600]) {
        await page.setViewportSize({ width, height: 800 });
        const excess =
          'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        const found = [await page.evaluate(excess), await page.evaluate(MISPLACED)];
        expect([width, ...found]).toEqual([width, 0, []]);
      }
      // The languages differ in texts alone.
      if (language === 'en') await expectAccessible(page);
    });

    test('has landmarks, one heading of the first rank, a skip link', async () => {
      const page = await open(path);
      for (const role of ['banner', 'main', 'contentinfo'] as const) {
        expect(await page.getByRole(role).count()).toBe(1);
      }
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
      const pages = page.getByRole('navigation', { name: 'Pages' });
      const addresses = (selector: string) =>
        pages
          .locator(selector)
          .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      const all = await addresses('a');
      expect(all).toHaveLength(6);
      expect(await addresses('[aria-current=page]')).toEqual(all.filter((to) => to === path));

      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe('Skip to the content');
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.id')).toBe('main');
    });
  });

  test('a change of the language persists', async () => {
    const page = await open('/console', { locale: 'zh-CN' });
    expect(await language(page.locator('html'))).toBe('zh-CN');
    await follow(page, page.getByRole('link', { name: 'English' }));
    expect([new URL(page.url()).pathname, await language(page.locator('html'))]).toEqual([
      '/console',
      'en',
    ]);
    await follow(page, page.getByRole('navigation', { name: 'Pages' }).getByRole('link').last());
    expect([new URL(page.url()).pathname, await language(page.locator('html'))]).toEqual([
      '/api-docs',
      'en',
    ]);
    await follow(page, page.getByRole('link', { name: '中文' }));
    expect(await language(page.locator('html'))).toBe('zh-CN');
  });

  describe('the console', () => {
    test('shows a request as sent, and its answer', async () => {
      const page = await open('/console');
      const body = JSON.stringify({ text: RISKY.text });
      await page.getByRole('textbox', { name: 'Body, JSON' }).fill(body);
      expect(await textOf(page, 'Request on the wire')).toBe(
        [
          'POST /api/detect HTTP/1.1',
          `Host: ${new URL(url()).host}`,
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
      await page.getByText(/^HTTP 200 OK after [\d,]+ ms$/).waitFor();
      expect(await textOf(page, 'Headers')).toContain('content-type: application/json');
      const answered = await textOf(page, 'Body');
      const result = JSON.parse(answered) as unknown;
      expect(result).toMatchObject({ text: RISKY.text, ai_analysis: { provider: 'embedded' } });
      expect(answered).toBe(JSON.stringify(result, null, 2));
    });

    test('colours JSON, and keeps the digits of numbers', async () => {
      const page = await open('/console');
      const body = '{"a":1.0,"b":[],"c":{},"d":[12345678901234567890,"x\\"y"],"e":null}';
      await page.route('**/api/detect', (route) => route.fulfill({ body }));
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText(/^HTTP 200/).waitFor();
      expect(await textOf(page, 'Body')).toBe(
        '{\n  "a": 1.0,\n  "b": [],\n  "c": {},\n  "d": [\n    12345678901234567890,\n    "x\\"y"\n  ],\n  "e": null\n}',
      );
      const texts = (kind: string) =>
        page.locator(`#response-body .json-${kind}`).allTextContents();
      expect(await texts('name')).toEqual(['"a"', '"b"', '"c"', '"d"', '"e"']);
      expect(await texts('string')).toEqual(['"x\\"y"']);
      expect(await texts('literal')).toEqual(['1.0', '12345678901234567890', 'null']);
    });

    test('scrolls to the answer on a phone, scrolls in it, and copies it', async () => {
      const page = await open('/console', {
        viewport: { width: 390, height: 844 },
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText(/^HTTP 200/).waitFor();
      const top = "document.getElementById('response').getBoundingClientRect().top";
      await expect.poll(() => page.evaluate<number>(top)).toBeLessThan(100);
      const body = page.getByRole('group', { name: 'Body', exact: true });
      const hidden = () =>
        body.evaluate(({ scrollHeight, scrollTop, clientHeight }) =>
          Math.round(scrollHeight - scrollTop - clientHeight),
        );
      expect((await body.boundingBox())?.height).toBe(480);
      expect(await hidden()).toBeGreaterThan(0);
      await body.press('End');
      await expect.poll(hidden).toBe(0);
      await page.locator('[data-copy="response-body"]').click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      const copied = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(copied).toBe(await textOf(page, 'Body'));
    });

    test('keeps request and answer in the other language', async () => {
      const page = await open('/console?lang=en');
      await page.getByRole('textbox').fill('{"text":"a"}');
      await page.locator('#per-day').fill('7');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText(/^HTTP 200/).waitFor();
      const answered = await textOf(page, 'Body');
      await follow(page, page.getByRole('link', { name: '中文' }));
      await page.getByText(/^HTTP 200 OK，用时/).waitFor();
      expect(await page.getByRole('textbox').inputValue()).toBe('{"text":"a"}');
      expect(await page.locator('#per-day').inputValue()).toBe('7');
      expect(await textOf(page, '响应体')).toBe(answered);
      await page.reload();
      expect(await page.locator('#response-parts').isVisible()).toBe(false);
    });

    test('requests the health', async () => {
      const page = await open('/console');
      await page.getByLabel('Endpoint').selectOption('GET /api/health');
      expect(await page.getByRole('textbox').count()).toBe(0);
      expect(words(await textOf(page, 'The same with curl'), 'curl')).toEqual([
        '-H',
        'Accept: application/json',
        `${url()}/api/health`,
      ]);
      expect(await textOf(page, 'The same with mop')).toBe(
        `MOP_DETECT_URL=${url()} mop health --json`,
      );
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText(/^HTTP 200/).waitFor();
      expect(JSON.parse(await textOf(page, 'Body'))).toMatchObject({ status: 'ok' });
    });

    test('its command lines are quoted for a shell', async () => {
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
          `${url()}/api/detect`,
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

    test('no mop command is shown for a body that mop cannot send', async () => {
      const page = await open('/console');
      const bodies = ['{', '{"text":1}', '{"text":" "}', '{"text":"a","b":1}', '[]', 'null'];
      for (const body of bodies) {
        await page.getByRole('textbox').fill(body);
        expect(await textOf(page, 'The same with mop')).toMatch(
          /^# mop detect sends only the field text/,
        );
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

    test('shows JSON that is nested too deeply to indent unchanged', async () => {
      const page = await open('/console');
      const body = '['.repeat(50_000) + ']'.repeat(50_000);
      await page.route('**/api/detect', (route) => route.fulfill({ body }));
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText(/^HTTP 200/).waitFor();
      expect(await textOf(page, 'Body')).toBe(body);
    });

    test('can be cancelled, and reports a stopped service', async () => {
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
      const note = { en: /made-up examples/, zh: /虚构的示例/ }[language] ?? '';
      expect(await page.getByText(note).isVisible()).toBe(true);
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
    const page = await open('/');
    await page.getByRole('link', { name: 'How it works' }).click();
    const families = page.getByRole('region', { name: 'Twelve families of risk' });
    expect(await families.getByRole('term').count()).toBe(12);
    const diagram = page.getByRole('img', {
      name: /^How a reply passes through the service .* external one if/,
    });
    expect(await diagram.count()).toBe(1);
    await follow(page, page.getByRole('link', { name: 'Try the API' }));
    expect(new URL(page.url()).pathname).toBe('/console');
  });

  test('the documentation tries a request, and keeps it in the other language', async () => {
    const page = await open('/api-docs?lang=en');
    const form = page.locator('details.try', { has: page.locator('[data-path="/api/detect"]') });
    await form.getByText('Try it').click();
    await form.getByRole('textbox', { name: 'Request body' }).fill('{"text":"You only need me."}');
    await form.locator('input[data-in="query"]').fill('zh');
    const sent = page.waitForRequest('**/api/detect?lang=zh');
    await form.getByRole('button', { name: 'Send' }).click();
    expect((await sent).postData()).toBe('{"text":"You only need me."}');
    await form.getByText(/^HTTP 200 OK after/).waitFor();
    await follow(page, page.getByRole('link', { name: '中文' }));
    await form.getByText(/^HTTP 200 OK，用时/).waitFor();
    const body = await form.locator('#post-api-detect-response-body').textContent();
    expect(JSON.parse(body ?? '')).toMatchObject({ overall_risk: 'high' });
    expect(await form.locator('textarea').inputValue()).toBe('{"text":"You only need me."}');
  });

  test.each(LANGUAGES)(
    'the documentation lists every path, schema and link (%s)',
    async (language) => {
      const page = await open(`/api-docs?lang=${language}`);
      const headings = await page.getByRole('heading', { level: 3 }).allTextContents();
      const { paths, components } = OPENAPI;
      for (const [path, item] of Object.entries(paths)) {
        for (const method of Object.keys(item)) {
          expect(headings.join('\n')).toContain(`${method.toUpperCase()} ${path} `);
        }
      }
      for (const name of Object.keys(components.schemas)) expect(headings).toContain(name);

      const opened = `[...document.querySelectorAll('a[href^="#schema-"]')].map((link) => {
        for (const schema of document.querySelectorAll('.schema')) schema.open = false;
        link.click();
        const open = [...document.querySelectorAll('.schema[open] h3')];
        return [link.textContent, ...open.map((title) => title.textContent)];
      })`;
      const links = (await page.evaluate(opened)) as string[][];
      expect(links.length).toBeGreaterThan(30);
      for (const [name, ...titles] of links) expect(titles).toEqual([name]);

      const broken = `[...document.querySelectorAll('main a[href^="#"]')]
      .filter((link) => !document.getElementById(link.hash.slice(1)))
      .map((link) => link.hash)`;
      expect(await page.evaluate(broken)).toEqual([]);
      expect(await page.getByText('undefined').count()).toBe(0);
      await page.getByText(/(Example: |示例：)A text without risk$/).click();
      await page.getByText(SAFE).first().waitFor();
      await follow(page, page.getByRole('link', { name: 'OpenAPI 3.1' }));
      expect(new URL(page.url()).pathname).toBe('/openapi.json');
    },
  );
}

/** The content of a titled block of code. */
async function textOf(page: Page, title: string): Promise<string> {
  return (await page.getByRole('group', { name: title, exact: true }).textContent()) ?? '';
}

/** The words of a command line in a shell, with piped input first. */
function words(line: string, command: string): string[] {
  const piped = line.includes(' | ') ? "cat; printf '\\0'; " : '';
  const script = `${command}() { ${piped}printf '%s\\0' "$@"; }\n${line}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}
