import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { documentedOperations } from '../../platform/openapi/operations.ts';
import { GRAPHQL_PATH } from '../../protocol/defaults.ts';
import { DETECT_PATH, HEALTH_PATH, MAX_TEXT_LENGTH, MIN_SCORE } from '../../protocol/detection.ts';
import { LANGUAGES } from '../../protocol/language.ts';
import { ADDRESS_PREFIX, documentedMode, type SignatureMode } from '../../protocol/operations.ts';
import { SANDBOX_CREDENTIALS } from '../../protocol/sandbox.ts';
import { LANGUAGE_NAMES, type Page } from '../../server/pages/frame.ts';
import { HEADERS, methodNotAllowed } from '../../server/pages/headers.ts';
import { copyable, filled, type Html } from '../../server/pages/html.ts';
import { siteRoutes } from '../../server/pages/routes.ts';
import { LANGUAGE_TAGS, translated, type View } from '../../server/pages/view.ts';
import type { RequestDataOptions } from '../../server/requests/routes.ts';
import OPENAPI from '../detection/openapi.json' with { type: 'json' };
import { apiDocs, type Description } from './api-docs.ts';
import assets from './assets?assets';
import consoleHtml from './console-page.html?raw';
import detectionHtml from './detection-page.html?raw';
import { exchangeAnswer, exchangeButtons, exchangeData } from './exchange-parts.ts';
import onepagerHtml from './onepager.html?raw';
import platformHtml from './platform-page.html?raw';
import type { ConsoleData, DetectionData } from './script-data.ts';
import CATEGORIES from './texts/categories.json' with { type: 'json' };
import CONSOLE from './texts/console.json' with { type: 'json' };
import DETECTION from './texts/detection.json' with { type: 'json' };
import EXAMPLES from './texts/examples.json' with { type: 'json' };
import ONEPAGER from './texts/onepager.json' with { type: 'json' };
import PLATFORM from './texts/platform.json' with { type: 'json' };

/**
 * The pages of the sandbox (D2 section 4, contract section 7). `billDate` is a day whose bill is
 * ready.
 */
export function pageRoutes(
  requests: RequestDataOptions,
  now: () => number,
  billDate: () => string,
): Hono<{ Bindings: HttpBindings }> {
  const pages = {
    '/': detectionPage,
    '/console': consolePage,
    '/onepager': onepager,
    '/api-docs': (view: View) => apiDocs(view, OPENAPI as object as Description),
    '/platform': (view: View) => platformPage(view, billDate()),
  };
  return siteRoutes({ ...requests, name: 'sandbox', now, pages, assets })
    .get('/openapi.json', (c) => c.json(OPENAPI, 200, HEADERS))
    .all('/openapi.json', methodNotAllowed);
}

/** The main page: checks a typed or dictated text, and shows the findings. */
function detectionPage({ language, t, link }: View): Page {
  const { title, summary, how, noScript, footnote, ...texts } = DETECTION.page;
  const categories = Object.entries(CATEGORIES).map(([key, { name, effect }]) => [
    key,
    { name: t(name), effect: t(effect) },
  ]);
  const data: DetectionData = {
    language: LANGUAGE_TAGS[language],
    resultLanguage: language,
    detectPath: DETECT_PATH,
    maxLength: MAX_TEXT_LENGTH,
    texts: translated(DETECTION.script, language),
    levels: translated(DETECTION.levels, language),
    categories: Object.fromEntries(categories),
    failures: translated(DETECTION.failures, language),
    speechFailures: translated(DETECTION.speechFailures, language),
  };
  const exampleLists = html`${LANGUAGES.map(
    (of) => html`
      <ul lang="${LANGUAGE_TAGS[of]}" aria-label="${LANGUAGE_NAMES[of]}">
        ${EXAMPLES.map(
          ({ name, text }) =>
            html`<li><button type="button" data-example="${text[of]}">${name[of]}</button></li>`,
        )}
      </ul>`,
  )}`;
  const [lowScore, highScore] = [`${MIN_SCORE.medium}`, `${MIN_SCORE.high}`];
  return {
    ...{ title, summary, noScript, footnote, data },
    intro: html`<a href="${link('/onepager')}">${t(how)}</a>`,
    styles: ['site.css'],
    script: 'detect.js',
    headers: { 'Permissions-Policy': 'microphone=(self), camera=(), geolocation=()' },
    content: filled(detectionHtml, t, texts, { exampleLists, lowScore, highScore }),
  };
}

function consolePage({ language, t }: View): Page {
  const { title, summary, noScript, noResponse, asSent, curl, mop, ...texts } = CONSOLE.page;
  const data: ConsoleData = {
    ...exchangeData(language),
    texts: translated(CONSOLE.script, language),
  };
  const parts = {
    detectPath: DETECT_PATH,
    healthPath: HEALTH_PATH,
    example: JSON.stringify({ text: EXAMPLES[0]?.text[language] }, null, 2),
    buttons: exchangeButtons(t, ''),
    answer: exchangeAnswer(t, '', 3, t(noResponse)),
    // The script fills in the code.
    wire: copyable(t, 'wire', '', t(asSent)),
    curlCommand: copyable(t, 'curl', '', t(curl)),
    mopCommand: copyable(t, 'mop', '', t(mop)),
  };
  return {
    ...{ title, summary, noScript, data },
    styles: ['site.css'],
    script: 'console.js',
    content: filled(consoleHtml, t, texts, parts),
  };
}

function onepager({ t, link, origin }: View): Page {
  const { title, summary, pipelineOne, pipelineMany, pipelineWait, ...texts } = ONEPAGER;
  const mop = `MOP_DETECT_URL=${origin} mop`;
  const batch = `MOP_DETECT_URL=${origin} \\\n  mop detect --batch replies.jsonl --fail-on high \\\n  --junit detect.xml --sarif detect.sarif`;
  const parts = {
    home: link('/'),
    console: link('/console'),
    docs: link('/api-docs'),
    categoryList: html`${Object.values(CATEGORIES).map(
      ({ name, effect }) => html`
          <div><dt>${t(name)}</dt><dd>${t(effect)}</dd></div>`,
    )}`,
    one: copyable(t, 'one', `${mop} detect --fail-on high @reply.txt`, t(pipelineOne)),
    many: copyable(t, 'many', batch, t(pipelineMany)),
    wait: copyable(t, 'wait', `${mop} health --wait 30`, t(pipelineWait)),
  };
  return {
    ...{ title, summary },
    styles: ['site.css'],
    intro: html`
      <p class="actions">
        <a class="button primary" href="${parts.home}">${t(texts.toCheck)}</a>
        <a class="button" href="${parts.docs}">${t(texts.toDocs)}</a>
      </p>`,
    content: filled(onepagerHtml, t, texts, parts),
  };
}

/** The start page for developers of platform clients. `billDate` is a day whose bill is ready. */
function platformPage({ t, link, origin }: View, billDate: string): Page {
  const { title, summary, footnote, variables, titlesInChinese, ...texts } = PLATFORM;
  const { apiKey, secret } = SANDBOX_CREDENTIALS;
  const settings = [
    `export MOP_API_KEY=${apiKey}`,
    `export MOP_API_SECRET=${secret}`,
    `export MOP_BASE_URL=${origin}`,
    `export MOP_OPEN_BASE_URL=${origin}`,
    `export MOP_DETECT_URL=${origin}`,
    `export MOP_GQL_URL=${origin}${GRAPHQL_PATH}`,
  ];
  const parts = {
    ...{ apiKey, secret, origin, detectPath: DETECT_PATH, graphqlPath: GRAPHQL_PATH },
    settings: copyable(t, 'settings', settings.join('\n'), t(variables)),
    operationList: operationList(t, titlesInChinese, billDate),
    debuggerPage: link('/platform/debugger'),
    requestsPage: link('/requests'),
    onepagerPage: link('/onepager'),
  };
  return {
    ...{ title, summary, footnote },
    styles: ['site.css'],
    content: filled(platformHtml, t, texts, parts),
  };
}

function operationList(
  t: View['t'],
  titlesInChinese: Readonly<Record<string, string>>,
  billDate: string,
): Html {
  return html`${documentedOperations(billDate).map(({ id, path, summary, examples }) => {
    const body = JSON.stringify(examples[0]?.fields);
    const title = t({ en: summary, zh: titlesInChinese[id] ?? summary });
    return html`
        <section class="operation" aria-labelledby="${id}">
          <h3 id="${id}">${title}</h3>
          ${copyable(t, `${id}-example`, body, t(PLATFORM.example), 4)}
          ${(['body', 'header'] as const).map((mode) => {
            const command = `mop call ${path} --mode ${mode} '${body}'`;
            return copyable(t, `${id}-${mode}`, command, modeTitle(mode, path, t), 4);
          })}
        </section>`;
  })}`;
}

function modeTitle(mode: SignatureMode, path: string, t: View['t']): string {
  const title = t(PLATFORM[mode]).replace('{request}', `POST ${ADDRESS_PREFIX[mode]}${path}`);
  const isDocumented = (documentedMode(path) ?? mode) === mode;
  return isDocumented ? title : t(PLATFORM.undocumented).replace('{title}', title);
}
