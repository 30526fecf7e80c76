import { html } from 'hono/html';
import { documentedOperations } from '../../platform/openapi/operations.ts';
import { DETECT_PATH } from '../../protocol/detection.ts';
import { GRAPHQL_PATH } from '../../protocol/graphql.ts';
import { ADDRESS_PREFIX, documentedMode, type SignatureMode } from '../../protocol/operations.ts';
import { SANDBOX_CREDENTIALS } from '../../protocol/sandbox.ts';
import type { Page } from '../../server/pages/frame.ts';
import { copyable, filled, type Html } from '../../server/pages/html.ts';
import type { View } from '../../server/pages/view.ts';
import template from './platform-page.html?raw';
import TEXTS from './texts/platform.json' with { type: 'json' };

/** The start page for developers of platform clients. `billDate` is a day whose bill is ready. */
export function platformPage({ t, link, origin }: View, billDate: string): Page {
  const { title, summary, footnote, variables, ...texts } = TEXTS;
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
    operationList: operationList(t, billDate),
    debuggerPage: link('/platform/debugger'),
    requestsPage: link('/requests'),
    onepagerPage: link('/onepager'),
  };
  return {
    ...{ title, summary, footnote },
    styles: ['site.css'],
    content: filled(template, t, texts, parts),
  };
}

function operationList(t: View['t'], billDate: string): Html {
  return html`${documentedOperations(billDate).map(({ id, path, summary, examples }) => {
    const body = JSON.stringify(examples[0]?.fields);
    return html`
        <section class="operation" aria-labelledby="${id}">
          <h3 id="${id}" lang="en">${summary}</h3>
          ${copyable(t, `${id}-example`, body, t(TEXTS.example), 4)}
          ${(['body', 'header'] as const).map((mode) => {
            const command = `mop call ${path} --mode ${mode} '${body}'`;
            return copyable(t, `${id}-${mode}`, command, modeTitle(mode, path, t), 4);
          })}
        </section>`;
  })}`;
}

function modeTitle(mode: SignatureMode, path: string, t: View['t']): string {
  const title = t(TEXTS[mode]).replace('{request}', `POST ${ADDRESS_PREFIX[mode]}${path}`);
  const isDocumented = (documentedMode(path) ?? mode) === mode;
  return isDocumented ? title : t(TEXTS.undocumented).replace('{title}', title);
}
