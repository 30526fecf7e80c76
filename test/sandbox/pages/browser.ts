import axe from 'axe-core/axe.min.js?raw';
import type { Browser, BrowserContextOptions, Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { hasChromium, launchChromium } from './chromium.ts';
import { detected } from './support.ts';

if (!hasChromium) {
  console.warn(
    'No Chromium: the pages are not tested (Debian: apt install chromium-headless-shell).',
  );
}

export const LANGUAGES = ['en', 'zh'];

/** The console message for an answer with an error status, which is not a mistake of the page. */
const FAILED_LOAD = /^Failed to load resource/;

/** Pages of a sandbox in a browser. */
export interface Pages {
  /** The address of the sandbox. */
  url(): string;
  /**
   * Opens a path, in one page for each set of options: pages keep nothing, and a new one takes
   * longer than most tests. The page must not complain until the test ends.
   */
  open(path: string, options?: BrowserContextOptions & { readonly script?: string }): Promise<Page>;
  /** The complaints of the page so far, which the test accounts for. */
  takeComplaints(): string[];
}

/** Describes groups of tests in one Chromium. They are skipped where it is not installed. */
export function describeInChromium(groups: Readonly<Record<string, (pages: Pages) => void>>): void {
  describe.skipIf(!hasChromium)('in Chromium', () => {
    let browser: Browser;

    beforeAll(async () => {
      browser = await launchChromium();
    });

    afterAll(() => browser?.close());

    for (const [name, tests] of Object.entries(groups)) {
      describe(name, () => tests(startPages(() => browser)));
    }
  });
}

/** The pages of one group. Its sandbox receives no requests of other groups. */
function startPages(browser: () => Browser): Pages {
  let service: Sandbox;

  beforeAll(async () => {
    service = await startSandbox();
  });

  afterAll(async () => {
    for (const page of pages.values()) await page.context().close();
    await service?.close();
  });

  const pages = new Map<string, Page>();
  const complaints: string[] = [];

  async function open(
    path: string,
    { script, ...options }: BrowserContextOptions & { readonly script?: string } = {},
  ): Promise<Page> {
    const key = JSON.stringify({ script, ...options });
    const page = pages.get(key) ?? (await newPage(options, script));
    pages.set(key, page);
    onTestFinished(async () => {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      expect(complaints.splice(0)).toEqual([]);
    });
    await page.goto(new URL(path, service.url).href);
    return page;
  }

  async function newPage(options: BrowserContextOptions, script?: string): Promise<Page> {
    const context = await browser().newContext({ locale: 'en-US', ...options });
    context.setDefaultTimeout(30_000);
    if (script) await context.addInitScript(script);
    const page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      const isComplaint = ['error', 'warning'].includes(message.type());
      if (isComplaint && !FAILED_LOAD.test(message.text())) complaints.push(message.text());
    });
    return page;
  }

  return { open, url: () => service.url, takeComplaints: () => complaints.splice(0) };
}

/**
 * Follows a link to another page, and waits until the scripts of that page have run: until then its
 * fields are there, but empty.
 */
export async function follow(page: Page, link: Locator): Promise<void> {
  const loaded = page.waitForEvent('load');
  await link.click();
  await loaded;
}

export async function check(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox').fill(text);
  await page.keyboard.press('Control+Enter');
}

/** Answers checks with a result of our own making. */
export async function answer(page: Page, change: object = {}): Promise<void> {
  await page.route('**/api/detect', (route) => {
    const { text } = route.request().postDataJSON() as { text: string };
    return route.fulfill({ json: { ...detected(text), ...change } });
  });
}

/** A browser without any voice. */
export const VOICELESS = `
  for (const name of ['SpeechRecognition', 'webkitSpeechRecognition', 'speechSynthesis']) {
    delete window[name];
  }`;

/** A browser whose recognition returns the calls of \`heard\`, and whose speech is recorded. */
export const VOICE = `
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

/** Expects no finding of axe in both schemes, and no motion where the user wants none. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.addScriptTag({ content: axe });
  const violations = (options: string) =>
    page.evaluate(`axe.run(${options}).then(({ violations }) =>
      violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  expect(await violations("{ rules: { 'focus-order-semantics': { enabled: true } } }")).toEqual([]);
  // The scheme changes colours alone.
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations("{ runOnly: ['color-contrast'] }")).toEqual([]);
  const moving = `[...document.querySelectorAll('*')].filter((element) => {
    const { animationName, scrollBehavior, transitionDuration } = getComputedStyle(element);
    return animationName !== 'none' || scrollBehavior !== 'auto' || transitionDuration !== '0s';
  }).length`;
  expect(await page.evaluate(moving)).toBe(0);
}

/** The text of the focused element. */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement.textContent.trim()');
}

/** The language of an element. */
export function language(element: Locator): Promise<string | null> {
  return element.evaluate((element) => element.closest('[lang]')?.getAttribute('lang') ?? null);
}

/** The error that is shown, as soon as one is. */
export async function alertOf(page: Page): Promise<string | null> {
  const alert = page.locator('#error:not(:empty)');
  await alert.waitFor();
  return alert.textContent();
}

/** Keeps checks waiting. */
export function hold(page: Page): { count(least: number): Promise<readonly Route[]> } {
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
