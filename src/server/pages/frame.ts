import { html, raw } from 'hono/html';
import { LANGUAGES, type Language } from '../../protocol/language.ts';
import { VERSION } from '../../version.ts';
import { type Html, htmlDocument, prose } from './html.ts';
import SITE from './texts/site.json' with { type: 'json' };
import { LANGUAGE_TAGS, type Text, translated, type View, withLanguage } from './view.ts';

/** The server of the pages. The proxy has only the pages about requests. */
export type SiteName = 'sandbox' | 'proxy';

const DESTINATIONS: Readonly<Record<SiteName, readonly (keyof typeof SITE.nav)[]>> = {
  sandbox: ['/', '/console', '/platform', '/platform/debugger', '/requests', '/api-docs'],
  proxy: ['/requests', '/platform/debugger'],
};

/** Each language by its own name. */
export const LANGUAGE_NAMES = { en: 'English', zh: '中文' } as const;

export type CopyTexts = Readonly<Record<keyof typeof SITE.copy, string>>;

export interface Page {
  readonly title: Text;
  readonly summary: Text;
  /** After the summary, such as a link. */
  readonly intro?: Html | undefined;
  /** The style sheets after `base.css`. */
  readonly styles?: readonly string[] | undefined;
  /** The script of the page; by default that of the copy buttons. */
  readonly script?: string | undefined;
  /** A text about the use of the page without a script, if it needs one. */
  readonly noScript?: Text | undefined;
  readonly data?: object | undefined;
  /** A note before the version in the footer. */
  readonly footnote?: Text | undefined;
  /** Headers that differ from those of other pages. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly content: Html;
}

export function framed(site: SiteName, view: View, page: Page): Html {
  const { language, t } = view;
  const name = t(SITE[site]);
  return htmlDocument({
    language: LANGUAGE_TAGS[language],
    title: `${t(page.title)} · ${name}`,
    description: t(page.summary),
    styles: ['base.css', ...(page.styles ?? [])],
    script: page.script ?? 'copy-buttons.js',
    data: pageData(page, language),
    body: html`<a class="skip" href="#main">${t(SITE.skip)}</a>
    ${header(site, view)}
    ${main(view, page)}
    <footer class="site-footer">
      <p>${page.footnote && html`${t(page.footnote)} · `}mop ${VERSION}</p>
    </footer>`,
  });
}

export function pageData(page: Page, language: Language): object {
  return { ...page.data, copyTexts: translated(SITE.copy, language) };
}

function header(site: SiteName, { language, path, t, link }: View): Html {
  const [home = '/'] = DESTINATIONS[site];
  const destinations = DESTINATIONS[site].map(
    (to) =>
      html`<li><a href="${link(to)}"${to === path && raw(' aria-current="page"')}>${t(SITE.nav[to])}</a></li>`,
  );
  const languages = LANGUAGES.map((other) => {
    const tag = LANGUAGE_TAGS[other];
    const current = other === language && raw(' aria-current="true"');
    return html`<li><a href="${withLanguage(path, other)}" lang="${tag}" hreflang="${tag}"${current}>${LANGUAGE_NAMES[other]}</a></li>`;
  });
  return html`<header class="site-header">
      <a class="brand" href="${link(home)}">
        <img src="/assets/icon.svg" alt="" width="24" height="24">${t(SITE[site])}</a>
      <nav aria-label="${t(SITE.pages)}"><ul>${destinations}</ul></nav>
      <nav class="languages" aria-label="${t(SITE.languages)}"><ul>${languages}</ul></nav>
    </header>`;
}

export function main(
  { t }: Pick<View, 't'>,
  { title, summary, intro, noScript, content }: Page,
): Html {
  return html`<main id="main" tabindex="-1">
      <div class="intro">
        <h1>${t(title)}</h1>
        <p class="summary">${t(summary)}</p>
        ${intro}
      </div>
      ${noScript && html`<noscript><p class="notice">${prose(t(noScript))}</p></noscript>`}
      ${content}
      <p id="copied" class="spoken" aria-live="polite"></p>
    </main>`;
}

export function notFoundPage(site: SiteName, { t, link, path }: View): Page {
  const { title, summary } = SITE.notFound;
  const shown = path.slice(0, 100);
  const fill = (text: string): string => text.replace('{path}', () => shown);
  return {
    title,
    summary: { en: fill(summary.en), zh: fill(summary.zh) },
    content: html`<ul class="plain">
        ${DESTINATIONS[site].map((to) => html`<li><a href="${link(to)}">${t(SITE.nav[to])}</a></li>`)}
      </ul>
      <p class="note">${prose(t(SITE.notFound[site]))}</p>`,
  };
}
