import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import SITE from './texts/site.json' with { type: 'json' };
import type { Text, View } from './view.ts';

/** The result of hono's `html`: a promise only if one of its parts is a promise. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

interface Document {
  /** The language as a tag of BCP 47. */
  readonly language: string;
  readonly title: string;
  readonly description: string;
  readonly styles: readonly string[];
  readonly script: string;
  readonly data: object;
  readonly body: Html;
}

export function htmlDocument({ styles, script, ...page }: Document): Html {
  return documentWith(
    page,
    html`<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
    ${styles.map((name) => html`<link rel="stylesheet" href="/assets/${name}">`)}
    <script type="module" src="/assets/${script}"></script>`,
  );
}

export function documentWith(page: Omit<Document, 'styles' | 'script'>, assets: Html): Html {
  return html`<!doctype html>
<html lang="${page.language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${page.title}</title>
    <meta name="description" content="${page.description}">
    ${assets}
  </head>
  <body>
    ${page.body}
    ${dataBlock(page.data)}
  </body>
</html>
`;
}

function dataBlock(data: object): Html {
  // Escape `<`: the data must not close the element.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return html`<script type="application/json" id="data">${raw(json)}</script>`;
}

/** A text with `code` between grave accents. */
export function prose(text: string): Html {
  const parts = text.split('`');
  return html`${parts.map((part, index) => (index % 2 ? html`<code>${part}</code>` : part))}`;
}

/**
 * A trusted template with each `{{name}}` replaced: by a part, or else by the text of this name.
 */
export function filled<Name extends string>(
  template: string,
  t: View['t'],
  texts: Readonly<Record<Name, Text>>,
  parts: Readonly<Record<string, Html | string>> = {},
): Html {
  const pieces = template.split(/\{\{([\w-]+)\}\}/);
  return html`${pieces.map((piece, index) => {
    if (index % 2 === 0) return raw(piece);
    return parts[piece] ?? prose(t(texts[piece as Name]));
  })}`;
}

/**
 * Code with a copy button, which `copy-buttons.js` shows. The keyboard can scroll it.
 *
 * @param title The text of its heading; without one, the page has an element with the id `ID-title`.
 */
export function copyable(t: View['t'], id: string, code: string, title?: string, rank = 3): Html {
  return html`
          <div class="copyable">
            ${title && html`<h${rank} id="${id}-title">${title}</h${rank}>`}
            <button type="button" data-copy="${id}" aria-describedby="${id}-title" hidden>${t(SITE.copy.copy)}</button>
            <pre role="group" aria-labelledby="${id}-title" tabindex="0"><code id="${id}">${code}</code></pre>
          </div>`;
}
