import { html } from 'hono/html';
import { documentedOperations } from '../../platform/openapi/operations.ts';
import { DETECT_PATH } from '../../protocol/detection.ts';
import { GRAPHQL_PATH } from '../../protocol/graphql.ts';
import { ADDRESS_PREFIX, documentedMode, type SignatureMode } from '../../protocol/operations.ts';
import { SANDBOX_CREDENTIALS } from '../../protocol/sandbox.ts';
import type { Page } from '../../server/pages/frame.ts';
import { copyable, type Html, prose } from '../../server/pages/html.ts';
import type { View } from '../../server/pages/view.ts';
import TEXTS from './texts/platform.json' with { type: 'json' };

/**
 * The start page for developers of platform clients.
 *
 * @param billDate A day whose bill is ready, `YYYY-MM-DD`.
 */
export function platformPage(view: View, billDate: string): Page {
  return {
    title: TEXTS.title,
    summary: TEXTS.summary,
    styles: ['site.css'],
    footnote: TEXTS.footnote,
    content: html`${access(view)} ${operations(view, billDate)} ${further(view)}`,
  };
}

function access({ t, origin }: View): Html {
  const { apiKey, secret } = SANDBOX_CREDENTIALS;
  const row = (name: string, value: Html | string, note = '') => html`
            <tr><th scope="row">${name} <small>${note}</small></th><td><code>${value}</code></td></tr>`;
  // A narrow screen breaks an address before its path.
  const address = (path: string) => html`${origin}<wbr>${path}`;
  const settings = [
    `export MOP_API_KEY=${apiKey}`,
    `export MOP_API_SECRET=${secret}`,
    `export MOP_BASE_URL=${origin}`,
    `export MOP_OPEN_BASE_URL=${origin}`,
    `export MOP_DETECT_URL=${origin}`,
    `export MOP_GQL_URL=${origin}${GRAPHQL_PATH}`,
  ];
  return html`
      <section aria-labelledby="access">
        <h2 id="access">${t(TEXTS.access)}</h2>
        <div class="columns">
          <table class="addresses">
            <tbody>
            ${row('api_key', apiKey)}
            ${row('api_secret', secret)}
            ${row('base_url', origin, t(TEXTS.inBody))}
            ${row('open_base_url', origin, t(TEXTS.inHeaders))}
            ${row(t(TEXTS.detection), address(DETECT_PATH))}
            ${row('GraphQL', address(GRAPHQL_PATH))}
            </tbody>
          </table>
          <div>
            <p>${t(TEXTS.needed)}</p>
            ${copyable('settings', html`<h3 id="settings-title">${t(TEXTS.variables)}</h3>`, settings.join('\n'), t)}
          </div>
        </div>
      </section>`;
}

function operations({ t }: View, billDate: string): Html {
  return html`
      <section aria-labelledby="operations">
        <h2 id="operations">${t(TEXTS.operations)}</h2>
        <p>${prose(t(TEXTS.modes))}</p>
        ${documentedOperations(billDate).map(({ id, path, summary, examples }) => {
          const body = JSON.stringify(examples[0]?.fields);
          return html`
        <section class="operation" aria-labelledby="${id}">
          <h3 id="${id}" lang="en">${summary}</h3>
          ${titled(`${id}-example`, t(TEXTS.example), body, t)}
          ${MODES.map((mode) =>
            titled(
              `${id}-${mode}`,
              modeTitle(mode, path, t),
              `mop call ${path} --mode ${mode} '${body}'`,
              t,
            ),
          )}
        </section>`;
        })}
      </section>`;
}

const MODES = ['body', 'header'] as const;

function modeTitle(mode: SignatureMode, path: string, t: View['t']): string {
  const title = t(TEXTS[mode]).replace('{request}', `POST ${ADDRESS_PREFIX[mode]}${path}`);
  const isDocumented = (documentedMode(path) ?? mode) === mode;
  return isDocumented ? title : t(TEXTS.undocumented).replace('{title}', title);
}

/** Code with a title and a copy button. */
function titled(id: string, title: string, code: string, t: View['t']): Html {
  return copyable(id, html`<h4 id="${id}-title">${title}</h4>`, code, t);
}

function further({ t, link }: View): Html {
  const items = [
    [link('/platform/debugger'), TEXTS.debugger],
    [link('/requests'), TEXTS.requests],
    ['/platform/openapi.json', TEXTS.openapi],
    [`${GRAPHQL_PATH}?query=%7B__typename%7D`, TEXTS.graphql],
    [link('/onepager'), TEXTS.onepager],
  ] as const;
  return html`
      <section aria-labelledby="further">
        <h2 id="further">${t(TEXTS.further)}</h2>
        <ul>
          ${items.map(([to, text]) => html`<li><a href="${to}">${prose(t(text))}</a></li>`)}
        </ul>
      </section>`;
}
