import { html } from 'hono/html';
import { catalogOf } from '../../locale/load.ts';
import { PROTOCOL_VERSION } from '../../protocol/operations.ts';
import { PROGRAM_LANGUAGES } from '../../signing/programs/languages.ts';
import type { Page } from '../pages/frame.ts';
import { contentSecurityPolicy } from '../pages/headers.ts';
import { copyable, filled } from '../pages/html.ts';
import { translated, type View } from '../pages/view.ts';
import REQUESTS from '../requests/texts.json' with { type: 'json' };
import style from './assets/debugger.css?raw';
import script from './assets/debugger.js?browser';
import EXAMPLE from './example.json' with { type: 'json' };
import template from './page.html?raw';
import type { DebuggerData } from './page-data.ts';
import TEXTS from './texts.json' with { type: 'json' };
import { FIELD_NAMES } from './typed-fields.ts';
import worker from './worker.ts?browser';

/** The script of the page and its worker contain their imports: a single file needs them too. */
export const DEBUGGER_ASSETS = {
  'debugger.css': style,
  'debugger.js': script,
  'debugger-worker.js': worker,
};

export interface Start {
  /** The request, in any charset. */
  readonly bytes: Uint8Array;
  /** The values of other fields, by id. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * The signature debugger (contract section 7). The page and its worker may not connect to any
 * server.
 */
export async function debuggerPage(
  { language, t }: Pick<View, 'language' | 't'>,
  start?: Start,
): Promise<Page> {
  const { title, summary, noScript, ...texts } = TEXTS.page;
  const data: DebuggerData = {
    start: start && { ...start, bytes: Buffer.from(start.bytes).toString('base64') },
    example: EXAMPLE,
    texts: translated(TEXTS.script, language),
    layers: translated(REQUESTS.layers, language),
    catalog: await catalogOf(language),
  };
  const parts = {
    protocolVersion: PROTOCOL_VERSION.header,
    fieldInputs: html`${FIELD_NAMES.map(
      (name) => html`
        <div class="field">
          <label for="${name}">${name}</label>
          <input id="${name}" spellcheck="false" autocapitalize="off">
        </div>`,
    )}`,
    languages: html`${PROGRAM_LANGUAGES.map((name) => html`<option>${name}</option>`)}`,
    programCode: copyable(t, 'program', ''),
  };
  return {
    ...{ title, summary, noScript, data },
    styles: ['layers.css', 'debugger.css'],
    script: 'debugger.js',
    headers: {
      'Content-Security-Policy': contentSecurityPolicy({
        'connect-src': "'none'",
        'worker-src': "'self'",
        'trusted-types': 'mop-worker',
      }),
    },
    content: filled(template, t, texts, parts),
  };
}
