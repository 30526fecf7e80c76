import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

/** The result of hono's `html`: a promise only if one of its parts is a promise. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export interface Document {
  /** The language as a tag of BCP 47. */
  readonly language: string;
  readonly title: string;
  readonly description: string;
  /** The path of the assets, such as `/assets`. */
  readonly assets: string;
  /** The names of style sheets, after the shared one. */
  readonly styles: readonly string[];
  readonly script?: string | undefined;
  /** The data block for the script. */
  readonly data?: object | undefined;
  readonly body: Html;
}

/** A whole HTML document. */
export function htmlDocument(page: Document): Html {
  const { assets, script } = page;
  return html`<!doctype html>
<html lang="${page.language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${page.title}</title>
    <meta name="description" content="${page.description}">
    <link rel="icon" href="${assets}/icon.svg" type="image/svg+xml">
    ${['base.css', ...page.styles].map(
      (name) => html`<link rel="stylesheet" href="${assets}/${name}">`,
    )}
    ${script && html`<script type="module" src="${assets}/${script}"></script>`}
  </head>
  <body>
    ${page.body}
    ${page.data && dataBlock(page.data)}
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
