import type { Page, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { FAILED } from '../../detection/support.ts';
import {
  alertOf,
  answer,
  check,
  focused,
  follow,
  hold,
  LANGUAGES,
  language,
  type Pages,
  VOICE,
  VOICELESS,
} from './browser.ts';
import { detected, RISKY, SAFE } from './support.ts';

/** A valid analysis of an external model. */
const EXTERNAL = {
  status: 'ok',
  provider: 'external',
  model: 'm-1',
  level: 'medium',
  score: 30,
  reasons: [],
};

/** Answers that are JSON, and no results. answer.test.ts has the other kinds. */
const NO_RESULTS = [null, {}, { ...detected(SAFE), results: [{ rule_name: null }] }];

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

export function describeCheck({ open, takeComplaints }: Pages): void {
  describe('a check', () => {
    test('of a risky text shows findings, places and reasons', async () => {
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
      expect(await result.getByRole('list', { name: 'Findings of the rules' }).innerText()).toMatch(
        /Claims to be all .*High risk.*Dependency.*You only need me.*An assistant that presents.*\sdependency\.only-me$/s,
      );
      const marked = result.getByRole('region', { name: 'Position in the text' });
      expect(await marked.textContent()).toBe(RISKY.text);
      expect(await marked.locator('mark[data-level]').allTextContents()).toEqual([RISKY.matched]);
      // A rule matched the first part of the words and not the second.
      expect(await marked.locator('.counted').allTextContents()).toEqual([
        'Stay',
        'need me',
        '. Nobody',
      ]);
      expect(await result.locator('.legend').innerText()).toMatch(/by a rule\s+counted most for/);
      const model = result.locator('#model');
      expect((await model.innerText()).replaceAll(/\s+/g, ' ')).toBe(
        'The embedded model puts the probability of risk at 91%: High risk, score 62 of 100. ' +
          'Most likely kinds of risk Dependency 83% Presents itself as the only or the best support, in place of people. ' +
          'Isolation 41% Urges a person to distrust, avoid or cut off family, friends or helpers. ' +
          'Probability of every kind of risk Words that counted most, the strongest first ' +
          '“need me. Nobody” “Stay” '.replaceAll(/[“”]/g, '') +
          'A statistical estimate, learned from texts of which half are risky: it is not a judgement, and it can be wrong. Version 1.0.0+3f2a9c1e.',
      );
      const bar = model.getByRole('meter', { name: 'Isolation' });
      expect(await bar.evaluate(({ value }) => value)).toBe(0.41);
      await model.getByText('every kind').click();
      expect(await model.locator('details').innerText()).toMatch(/Self-harm\s+<1%/);
      expect(await result.getByRole('region', { name: 'A safer wording' }).textContent()).toContain(
        'people who care',
      );
    });

    test('of a safe text reports that it can stay unchanged', async () => {
      const page = await open('/');
      await answer(page);
      await check(page, SAFE);
      const result = page.getByRole('region', { name: 'Result' });
      expect(await result.innerText()).toMatch(
        /No risk.*No rule matched\..*probability of risk at <1%.*does not need a change/s,
      );
      expect(await result.locator('mark:visible, .mark:visible').count()).toBe(0);
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
      expect(await page.locator('#model').innerText()).toMatch(
        /有风险的概率为 91%.*情感依赖\s+83%/s,
      );
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

    test('of an example needs one click, and finds the risk of its name', async () => {
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
      await press('Tab');
      expect(await focused(page)).toBe('Probability of every kind of risk');
      await press('Tab', 'Tab', 'Tab', 'Tab', 'Tab');
      expect(await focused(page)).toBe('Copy');

      for (let count = 0; count < 6; count++) await press('Shift+Tab');
      expect(await focused(page)).toBe('Check');
      await page.getByRole('textbox').fill(SAFE);
      await page.getByRole('button', { name: 'Check', exact: true }).focus();
      await press('Enter');
      await page.getByText('No rule matched.').waitFor();
    });

    test('without a text is an error, and sends nothing', async () => {
      const page = await open('/');
      await page.route('**/api/detect', () => expect.unreachable());
      await check(page, ' \n ');
      expect(await page.getByRole('alert').textContent()).toMatch(/enter a text first/);
      const box = page.getByRole('textbox');
      expect(await box.getAttribute('aria-invalid')).toBe('true');
      expect(await page.evaluate('document.activeElement.id')).toBe('text');
    });

    test('that the service refuses shows the reason in words', async () => {
      const page = await open('/');
      await check(page, RISKY.text);
      await page.getByRole('region', { name: 'Result' }).waitFor();
      await check(page, '😀'.repeat(100_001));
      await page.getByText('shorten it to 100,000 characters').waitFor();
      expect(await page.getByRole('region', { name: 'Result' }).isVisible()).toBe(false);
      expect(await page.locator('#counter').textContent()).toBe('100,001 of 100,000 characters');
    });

    test('of more than 2 MiB is too long, too', async () => {
      const page = await open('/');
      const answered = page.waitForResponse('**/api/detect');
      // Three bytes each: more than 2 MiB.
      await check(page, '你'.repeat(800_000));
      expect((await answered).status()).toBe(400);
      expect(await alertOf(page)).toBe('The text is too long: shorten it to 100,000 characters.');
    });

    test('with an unexpected answer is an error, not a result', async () => {
      const page = await open('/');
      const replies = [
        [
          { status: 400, json: { error: { code: 'new_code', message: 'a new reason' } } },
          'a new reason',
        ],
        [{ status: 502, body: '<h1>502</h1>' }, 'unexpected answer (HTTP 502).'],
        ...['constructor', '__proto__', 'toString', 'network', 400, null, {}, ['bad_json']].map(
          (code) =>
            [{ status: 400, json: { error: { code } } }, 'unexpected answer (HTTP 400).'] as const,
        ),
        ...['', ' ', 1, null, {}].map((message) => {
          const error = { code: 'new_code', message };
          return [{ status: 400, json: { error } }, 'unexpected answer (HTTP 400).'] as const;
        }),
        ...[null, 'text', 1, [], {}].map(
          (error) => [{ status: 400, json: { error } }, 'unexpected answer (HTTP 400).'] as const,
        ),
        [
          { status: 400, json: { error: { code: 'new_code', message: 'a {status} {toString}' } } },
          'a {status} {toString}',
        ],
        [{ status: 400, json: { error: { code: 'bad_text' } } }, 'The text must be a string.'],
      ] as const;
      for (const [reply, words] of replies) await expectFailure(page, reply, words);
    });

    test('with an invalid result is an error', async () => {
      const page = await open('/');
      await answer(page);
      await check(page, RISKY.text);
      await page.getByRole('region', { name: 'Result' }).waitFor();
      for (const json of NO_RESULTS) {
        await expectFailure(page, { json }, 'unexpected answer (HTTP 200).');
      }
    });

    test('shows inherited property names unchanged', async () => {
      const page = await open('/');
      for (const name of ['__proto__', 'constructor', 'toString']) {
        const hit = { rule_name: name, level: name, category: name, matched_text: name, why: name };
        await answer(page, {
          overall_risk: name,
          results: [hit],
          ai_analysis: {
            status: 'ok',
            provider: 'external',
            model: name,
            level: name,
            score: 1,
            reasons: [name],
          },
        });
        await check(page, SAFE);
        await page
          .getByRole('status')
          .filter({ hasText: `${name}, score 0` })
          .waitFor();
        expect(await page.locator('#level').textContent()).toBe(name);
        expect(await page.locator('.facts span').allTextContents()).toEqual([name, name]);
        expect(await page.locator('#model').textContent()).toContain(
          `model ${name}: ${name}, score 1 of`,
        );
      }
    });

    test('with a result that cannot be displayed is an error, and the next check works', async () => {
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
      expect(takeComplaints()).toEqual(['Error: a mistake']);
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

    test('is replaced by a later one', async () => {
      const page = await open('/');
      const held = hold(page);
      await check(page, RISKY.text);
      await held.count(1);
      await check(page, SAFE);
      const [first, second] = await held.count(2);
      await second?.fulfill({ json: detected(SAFE) });
      await page.getByText('No rule matched.').waitFor();
      // The page has cancelled it.
      await first?.fulfill({ json: detected(RISKY.text) }).catch(() => {});
      expect(await page.locator('#level').textContent()).toBe('No risk');
      expect(await page.getByRole('alert').textContent()).toBe('');
    });

    test('does not move the focus while the text changes', async () => {
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
      expect(await page.locator('mark[data-level]').count()).toBe(5_555);
      expect(await page.locator('.rule').count()).toBe(1);
    });

    test('marks each character once, and inserts no markup', async () => {
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

    test('shows the marks that the user selects, also in the other language', async () => {
      const page = await open('/?lang=en');
      await answer(page);
      await check(page, RISKY.text);
      const styles = () =>
        page.evaluate(`[...document.querySelectorAll('mark')].map((mark) => {
          const { backgroundColor, textDecorationLine } = getComputedStyle(mark);
          return [backgroundColor === 'rgba(0, 0, 0, 0)' ? '' : 'filled', textDecorationLine];
        })`);
      const [rule, model, none] = [
        ['filled', 'none'],
        ['', 'underline'],
        ['', 'none'],
      ];
      // A word of both kinds has one line, on the background of the rule.
      await page.locator('mark').first().waitFor();
      expect(await styles()).toEqual([model, rule, model, model]);
      await page.getByLabel('counted most for the model').uncheck();
      expect(await styles()).toEqual([none, rule, none, none]);
      await page.getByLabel('matched by a rule').uncheck();
      expect(await styles()).toEqual([none, none, none, none]);
      await page.getByLabel('counted most for the model').check();
      await follow(page, page.getByRole('link', { name: '中文' }));
      await page.locator('mark').first().waitFor();
      expect(await styles()).toEqual([model, none, model, model]);
    });

    test('lists the first wordings of a rule, and counts the others', async () => {
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
        { ...EXTERNAL, reasons: ['first', 'second'], latency: 7 },
        /^The external model m-1: Medium risk, score 30 of 100\. first second latency 7$/,
      ],
      [
        { ...FAILED, model: 'm-1' },
        /^The external model m-1 failed\. The embedded model made this estimate\. Error: too slow The embedded model puts .* at 91%/,
      ],
      [
        { ...EXTERNAL, score: '30' },
        /^status ok provider external model m-1 .*score 30 reasons \[\]$/,
      ],
      [
        { status: 'off', nested: { list: ['a', { b: null }] } },
        /^status off nested list a b null$/,
      ],
      [{ '<b>x</b>': [], constructor: '__proto__' }, /^<b>x<\/b> \[\] constructor __proto__$/],
      ['fine', /^fine$/],
      [null, /^null$/],
      [[], /^\[\]$/],
      [Array.from({ length: 60 }, (_, index) => index), /49 and 10 more$/],
      ['x'.repeat(2000), /^x{1000}…$/],
    ])('shows any analysis: %j', async (ai_analysis, words) => {
      const page = await open('/');
      await answer(page, { ai_analysis });
      await check(page, SAFE);
      const model = page.locator('#model');
      await model.waitFor();
      expect((await model.innerText()).replaceAll(/\s+/g, ' ').trim()).toMatch(words);
    });

    test('shows the unknown fields of a rule', async () => {
      const page = await open('/');
      await answer(page, {
        results: [{ rule_name: 'a rule', level: 'low', evidence: { source: 'list 7' } }],
      });
      await check(page, SAFE);
      expect(await page.locator('.rule dl').first().innerText()).toMatch(
        /evidence\s+source\s+list 7/,
      );
    });

    test('keeps text and result in the other language', async () => {
      const page = await open('/?lang=en');
      await check(page, 'You only need me.');
      await page.getByText('Claims to be all that the person needs').first().waitFor();
      await follow(page, page.getByRole('link', { name: '中文' }));
      await page.getByText('自称能满足用户的一切需要').first().waitFor();
      expect(await page.getByRole('textbox').inputValue()).toBe('You only need me.');
      await page.goBack();
      await page.getByText('Claims to be all that the person needs').first().waitFor();
      expect(await page.getByRole('textbox').inputValue()).toBe('You only need me.');
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
      const script =
        'navigator.clipboard.writeText = () => Promise.reject(new Error());' +
        'document.execCommand = () => false;';
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
    test('without browser support is explained, and has no button', async () => {
      const page = await open('/', { script: VOICELESS });
      await answer(page);
      await check(page, RISKY.text);
      await page.getByRole('region', { name: 'Result' }).waitFor();
      expect(await page.getByText('Dictation is not available').isVisible()).toBe(true);
      expect(await page.getByText('Reading aloud is not available').isVisible()).toBe(true);
      expect(await page.getByRole('button', { name: /Dictate|Read/ }).count()).toBe(0);
      expect(await page.getByText('Some browsers send').isVisible()).toBe(false);
    });

    test('speech is inserted at the cursor', async () => {
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
      expect(await alertOf(page)).toContain('it may not have a voice');
    });
  });
}
