import { html } from 'hono/html';
import { documentedOperations } from '../../platform/openapi/operations.ts';
import { DETECT_PATH } from '../../protocol/detection.ts';
import { GRAPHQL_PATH } from '../../protocol/graphql.ts';
import { ADDRESS_PREFIX, documentedMode, type SignatureMode } from '../../protocol/operations.ts';
import { SANDBOX_CREDENTIALS } from '../../protocol/sandbox.ts';
import { copyable, copyStatus } from '../../server/pages/copyable.ts';
import { type Html, htmlDocument } from '../../server/pages/html.ts';
import { COPY, translated } from './texts.ts';

interface PlatformPage {
  /** The address of the sandbox. */
  readonly origin: string;
  /** A day whose bill is ready, `YYYY-MM-DD`. */
  readonly billDate: string;
}

const COPY_TEXTS = translated(COPY, 'en');

const SUMMARY = 'Credentials, addresses and examples for programs that call the mobility platform.';

/** The start page for developers of platform clients. */
export function platformPage({ origin, billDate }: PlatformPage): Html {
  return htmlDocument({
    language: 'en',
    title: 'Sandbox of the mobility platform · mop',
    description: SUMMARY,
    assets: '/assets',
    styles: ['site.css'],
    script: 'copy-buttons.js',
    data: { copyTexts: COPY_TEXTS },
    body: html`<a class="skip" href="#main">Skip to the content</a>
    <header class="site-header">
      <a class="brand" href="/platform">
        <img src="/assets/icon.svg" alt="" width="24" height="24">mop sandbox</a>
      <nav aria-label="Pages">
        <ul>
          <li><a href="/platform" aria-current="page">Start page</a></li>
          <li><a href="/requests">Requests</a></li>
          <li><a href="/">Detection</a></li>
        </ul>
      </nav>
    </header>
    <main id="main" class="wide" tabindex="-1">
      <div class="intro">
        <h1>Sandbox of the mobility platform</h1>
        <p>${SUMMARY}</p>
      </div>
      ${access(origin)} ${operations(billDate)} ${further()}
      ${copyStatus()}
    </main>
    <footer class="site-footer"><p>The credentials are public: they work only in a sandbox.</p></footer>`,
  });
}

function access(origin: string): Html {
  const { apiKey, secret } = SANDBOX_CREDENTIALS;
  const row = (name: string, value: string) => html`
            <tr><th scope="row">${name}</th><td><code>${value}</code></td></tr>`;
  const settings = [
    `export MOP_API_KEY=${apiKey} MOP_API_SECRET=${secret}`,
    `export MOP_BASE_URL=${origin} MOP_OPEN_BASE_URL=${origin}`,
    `export MOP_DETECT_URL=${origin} MOP_GQL_URL=${origin}${GRAPHQL_PATH}`,
  ];
  return html`
      <section aria-labelledby="access">
        <h2 id="access">Credentials and addresses</h2>
        <table class="addresses">
          <tbody>
            ${row('api_key', apiKey)}
            ${row('api_secret', secret)}
            ${row('base_url (signature in the body)', origin)}
            ${row('open_base_url (signature in headers)', origin)}
            ${row('detection', origin + DETECT_PATH)}
            ${row('GraphQL', origin + GRAPHQL_PATH)}
          </tbody>
        </table>
        <p>The commands on this page need these variables:</p>
        ${titled('settings', 'Variables for mop', settings.join('\n'), 3)}
      </section>`;
}

function operations(billDate: string): Html {
  return html`
      <section aria-labelledby="operations">
        <h2 id="operations">Operations</h2>
        <p>The sandbox answers each operation in both modes. <code>mop</code> adds the common fields and the signature. <code>mop sign</code> prints a signed request, and <code>mop proxy</code> signs for other programs.</p>
        ${documentedOperations(billDate).map(({ id, path, summary, examples }) => {
          const body = JSON.stringify(examples[0]?.fields);
          return html`
        <section class="operation" aria-labelledby="${id}">
          <h3 id="${id}">${summary}</h3>
          ${titled(`${id}-example`, 'Body without the common fields', body)}
          ${MODES.map((mode) => inMode(mode, id, path, body))}
        </section>`;
        })}
      </section>`;
}

const MODES = ['body', 'header'] as const;

const MODE_NAMES = { body: 'Signature in the body', header: 'Signature in headers' };

function inMode(mode: SignatureMode, id: string, path: string, body: string): Html {
  const isDocumented = (documentedMode(path) ?? mode) === mode;
  const title = `${MODE_NAMES[mode]}: POST ${ADDRESS_PREFIX[mode]}${path}`;
  return titled(
    `${id}-${mode}`,
    isDocumented ? title : `${title} (not documented by the platform)`,
    `mop call ${path} --mode ${mode} '${body}'`,
  );
}

/** Code with a title and a copy button. */
function titled(id: string, title: string, code: string, rank: 3 | 4 = 4): Html {
  return copyable(id, html`<h${rank} id="${id}-title">${title}</h${rank}>`, code, COPY_TEXTS.copy);
}

function further(): Html {
  return html`
      <section aria-labelledby="further">
        <h2 id="further">More of this sandbox</h2>
        <ul>
          <li><a href="/requests">Your requests</a>, live: the verdict on each signature, the string to sign, and the answer</li>
          <li><a href="/platform/openapi.json">OpenAPI 3.1 of these operations</a>, for Postman, Bruno and code generators</li>
          <li><a href="${GRAPHQL_PATH}?query=%7B__typename%7D">GraphQL</a>: <code>mop gql schema</code> prints the schema</li>
          <li>The detection service: <a href="/">check a reply</a>, <a href="/console">console</a>, <a href="/api-docs">API</a></li>
        </ul>
      </section>`;
}
