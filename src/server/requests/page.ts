import { html } from 'hono/html';
import { quoted } from '../../errors.ts';
import { documentedOperations } from '../../platform/openapi/operations.ts';
import { ADDRESS_PREFIX } from '../../protocol/operations.ts';
import { SANDBOX_CREDENTIALS } from '../../protocol/sandbox.ts';
import type { Page, SiteName } from '../pages/frame.ts';
import { copyable, filled } from '../pages/html.ts';
import { translated, type View } from '../pages/view.ts';
import { MAX_EXCHANGES } from './history.ts';
import template from './page.html?raw';
import type { RequestsData } from './page-data.ts';
import TEXTS from './texts.json' with { type: 'json' };

const KINDS = ['all', 'right', 'wrong', 'unreadable', 'none', 'uncertain'] as const;

export function requestsPage(site: SiteName, { language, t, link, origin }: View): Page {
  const { script, verdicts, layers, page } = TEXTS;
  const { title, noScript, empty, sandbox: _, proxy: __, ...texts } = page;
  const data: RequestsData = {
    maxRows: MAX_EXCHANGES,
    texts: translated(script, language),
    verdicts: translated(verdicts, language),
    layers: translated(layers, language),
  };
  const parts = {
    kinds: html`${KINDS.map((kind) => html`<option value="${kind}">${t(verdicts[kind])}</option>`)}`,
    firstCommand: copyable(t, 'first-command', firstCommand(site, origin), t(empty)),
    debuggerPage: link('/platform/debugger'),
  };
  return {
    ...{ title, summary: page[site], noScript, data },
    styles: ['layers.css', 'requests.css'],
    script: 'requests.js',
    content: filled(template, t, { ...script, ...texts }, parts),
  };
}

function firstCommand(site: SiteName, origin: string): string {
  const [{ path = '', examples = [] } = {}] = documentedOperations('').filter(
    ({ id }) => id === 'estimate',
  );
  const body = JSON.stringify(examples[0]?.fields);
  if (site === 'proxy') {
    const url = `${origin}${ADDRESS_PREFIX.header}${path}`;
    return quoted`curl -H 'Content-Type: application/json' -d ${body} ${url}`;
  }
  const { apiKey, secret } = SANDBOX_CREDENTIALS;
  const variables = quoted`MOP_API_KEY=${apiKey} MOP_API_SECRET=${secret} MOP_OPEN_BASE_URL=${origin}`;
  return `${variables} \\\n  ${quoted`mop call ${path} ${body} --mode header`}`;
}
