import { html } from 'hono/html';
import { PROTOCOL_VERSION } from '../../protocol/operations.ts';
import { PROGRAM_LANGUAGES } from '../../signing/programs/languages.ts';
import type { Page } from '../pages/frame.ts';
import { contentSecurityPolicy } from '../pages/headers.ts';
import { copyable, type Html, prose } from '../pages/html.ts';
import { type Text, translated, type View } from '../pages/view.ts';
import REQUESTS from '../requests/texts.json' with { type: 'json' };
import style from './assets/debugger.css?raw';
import script from './assets/debugger.js?browser';
import EXAMPLE from './example.json' with { type: 'json' };
import type { DebuggerData } from './page-data.ts';
import TEXTS from './texts.json' with { type: 'json' };
import { FIELD_NAMES } from './typed-fields.ts';
import worker from './worker.ts?browser';

const { page: WORDS } = TEXTS;

/** The inputs that a page begins with. */
export interface Start {
  /** The request, in any charset. */
  readonly bytes: Uint8Array;
  /** The values of other fields, by id. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * The signature debugger (contract section 7). It sends nothing: the page and its worker may not
 * connect to any server.
 */
export function debuggerPage({ language, t }: Pick<View, 'language' | 't'>, start?: Start): Page {
  const data: DebuggerData = {
    start: start && { ...start, bytes: Buffer.from(start.bytes).toString('base64') },
    example: EXAMPLE,
    texts: translated(TEXTS.script, language),
    layers: translated(REQUESTS.layers, language),
  };
  return {
    title: WORDS.title,
    summary: WORDS.summary,
    styles: ['layers.css', 'debugger.css'],
    script: 'debugger.js',
    noScript: WORDS.noScript,
    data,
    headers: {
      'Content-Security-Policy': contentSecurityPolicy({
        'connect-src': "'none'",
        'worker-src': "'self'",
        'trusted-types': 'mop-worker',
      }),
    },
    content: html`<div id="debugger">${form(t)} ${verdict(t)}</div>
      <div id="layers"></div>
      ${program(t)}`,
  };
}

function form(t: View['t']): Html {
  return html`
        <form id="question" autocomplete="off" novalidate>
          <p class="notice">${t(WORDS.private)}</p>
          <div class="label-line">
            <label for="request">${t(WORDS.request)}</label>
            <button type="button" id="example" class="quiet">${t(WORDS.example)}</button>
            <label class="button quiet" for="file">${t(WORDS.file)}</label>
            <input type="file" id="file" class="spoken">
          </div>
          <textarea id="request" class="code" rows="10" spellcheck="false" autocapitalize="off"
            aria-describedby="request-hint"></textarea>
          <p id="request-hint" class="note">${t(WORDS.requestHint)}</p>
          ${typedFields(t)}
          <div class="field">
            <label for="secret">${t(WORDS.secret)}</label>
            <div class="with-button">
              <input type="password" id="secret" autocomplete="off" spellcheck="false"
                aria-describedby="secret-hint" data-1p-ignore data-lpignore="true">
              <button type="button" id="show" aria-pressed="false">${t(WORDS.show)}</button>
            </div>
            <p id="secret-hint" class="note">${t(WORDS.secretHint)}</p>
          </div>
          <div class="field">
            <label for="theirs">${t(WORDS.theirs)}</label>
            <textarea id="theirs" class="code" rows="2" spellcheck="false" autocapitalize="off"
              aria-describedby="theirs-hint"></textarea>
            <p id="theirs-hint" class="note">${t(WORDS.theirsHint)}</p>
          </div>
          ${options(t)}
          <div class="actions">
            <button type="submit" id="explain" class="primary">${t(WORDS.explain)}</button>
            <button type="button" id="cancel" hidden>${t(WORDS.cancel)}</button>
          </div>
          <p id="status" role="status"></p>
          <p id="progress" class="note"></p>
        </form>`;
}

/** Fields from which the script writes a request. */
function typedFields(t: View['t']): Html {
  const input = (id: string, label: string, value = '') => html`
            <div class="field">
              <label for="${id}">${label}</label>
              <input id="${id}" value="${value}" spellcheck="false" autocapitalize="off">
            </div>`;
  return html`
          <details>
            <summary>${t(WORDS.fields)}</summary>
            <p class="note">${t(WORDS.fieldsHint)}</p>
            <label for="mode">${t(WORDS.mode)}</label>
            <select id="mode">
              <option value="body">${t(WORDS.modeBody)}</option>
              <option value="header">${t(WORDS.modeHeader)}</option>
            </select>
            <label for="business">${t(WORDS.business)}</label>
            <textarea id="business" class="code" rows="3" spellcheck="false">{}</textarea>
            <div class="fields-grid">
              ${FIELD_NAMES.map((name) => input(name, name))} ${input('version', t(WORDS.version), PROTOCOL_VERSION.header)}
            </div>
            <p id="fields-error" role="alert"></p>
            <button type="button" id="write">${t(WORDS.write)}</button>
          </details>`;
}

function options(t: View['t']): Html {
  const number = (id: string, label: Text, min: number) => html`
            <div class="field">
              <label for="${id}">${t(label)}</label>
              <input type="number" id="${id}" min="${min}" step="1">
            </div>`;
  return html`
          <details>
            <summary>${t(WORDS.options)}</summary>
            <div class="fields-grid">
              ${number('entry', WORDS.entry, 1)} ${number('sent-at', WORDS.sentAt, 0)}
              <div class="field">
                <label for="effort">${t(WORDS.effort)}</label>
                <select id="effort"><option>low</option><option selected>normal</option><option>high</option></select>
              </div>
            </div>
          </details>`;
}

function verdict(t: View['t']): Html {
  return html`
        <section id="verdict" aria-labelledby="verdict-title">
          <h2 id="verdict-title" tabindex="-1">${t(WORDS.verdict)}</h2>
          <div id="findings"><p class="note">${prose(t(WORDS.noVerdict))}</p></div>
        </section>`;
}

function program(t: View['t']): Html {
  return html`
      <section id="program-part" aria-labelledby="program-title" hidden>
        <h2 id="program-title">${t(WORDS.program)}</h2>
        <div class="field">
          <label for="language">${t(WORDS.language)}</label>
          <select id="language">${PROGRAM_LANGUAGES.map((name) => html`<option>${name}</option>`)}</select>
        </div>
        ${copyable('program', '', '', t)}
      </section>`;
}

/** The script of the page and its worker contain their imports: a single file needs them too. */
export const DEBUGGER_ASSETS = {
  'debugger.css': style,
  'debugger.js': script,
  'debugger-worker.js': worker,
};
