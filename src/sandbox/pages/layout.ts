import { html, raw } from 'hono/html';
import { DETECTION_VERSION } from '../../protocol/detection.ts';
import { copyStatus } from '../../server/pages/copyable.ts';
import { type Html, htmlDocument, prose } from '../../server/pages/html.ts';
import { LANGUAGES } from '../language.ts';
import type { ScriptName } from './assets.ts';
import { type Text, type View, withLanguage } from './page-view.ts';
import { LANGUAGE_NAMES, SITE } from './texts.ts';

export interface Page {
  readonly title: Text;
  readonly summary: Text;
  /** The maximum width of the content; `prose` keeps lines short. */
  readonly width: 'prose' | 'wide';
  readonly script?: ScriptName;
  /** Whether the page is useless without its script. */
  readonly needsScript?: boolean;
  /** The data block for the script: its texts, among others. */
  readonly data?: object;
  readonly content: Html;
}

const PAGE_PATHS = ['/', '/console', '/onepager', '/api-docs'] as const;

export type PagePath = (typeof PAGE_PATHS)[number];

/** The language tags: a browser selects fonts and voices by them. */
export const LANGUAGE_TAGS = { en: 'en', zh: 'zh-CN' } as const;

export function layout({ language, path, t, link }: View, page: Page): Html {
  const current = (of: string) => of === path && raw(' aria-current="page"');
  const body = html`<a class="skip" href="#main">${t(SITE.skip)}</a>
    <header class="site-header">
      <a class="brand" href="${link('/')}">
        <img src="/assets/icon.svg" alt="" width="24" height="24">${t(SITE.name)}</a>
      <nav aria-label="${t(SITE.pages)}">
        <ul>
          ${PAGE_PATHS.map(
            (to) => html`<li><a href="${link(to)}"${current(to)}>${t(SITE.nav[to])}</a></li>`,
          )}
        </ul>
      </nav>
      <nav class="languages" aria-label="${t(SITE.languages)}">
        <ul>
          ${LANGUAGES.map(
            (
              other,
            ) => html`<li><a href="${withLanguage(path, other)}" lang="${LANGUAGE_TAGS[other]}"
              hreflang="${LANGUAGE_TAGS[other]}"${other === language && raw(' aria-current="true"')}>${
                LANGUAGE_NAMES[other]
              }</a></li>`,
          )}
        </ul>
      </nav>
    </header>
    <main id="main" class="${page.width}" tabindex="-1">
      <div class="intro">
        <h1>${t(page.title)}</h1>
        <p>${t(page.summary)}</p>
      </div>
      ${page.needsScript && html`<noscript><p class="notice">${prose(t(SITE.noScript))}</p></noscript>`}
      ${page.content}
      ${page.script && copyStatus()}
    </main>
    <footer class="site-footer">
      <p>${t(SITE.footer).replace('{version}', DETECTION_VERSION)} <a href="/platform">${t(SITE.platform)}</a></p>
    </footer>`;
  return htmlDocument({
    language: LANGUAGE_TAGS[language],
    title: `${t(page.title)} · ${t(SITE.name)}`,
    description: t(page.summary),
    assets: '/assets',
    styles: ['site.css'],
    script: page.script,
    data: page.data,
    body,
  });
}
