import { Entries } from '../../../locale/entries.ts';
import { Translator } from '../../../locale/translator.ts';
import { base64, byId, fill, pageData, reveal, submitByKey } from '../../pages/assets/dom.js';
import { fieldValues, keepAcrossLanguages, setFieldValues } from '../../pages/assets/keep.js';
import { LayerView, messageLine, note, section, sentence } from '../../pages/assets/layers.js';
import { translatedExplanation } from '../translated-explanation.ts';
import { FIELD_NAMES, requestText } from '../typed-fields.ts';
import '../../pages/assets/copy-buttons.js';

/**
 * @import { ComparedString, DebuggerData, Explanation, Question, WorkerMessage } from '../page-data.ts'
 */

/** @type {DebuggerData} */
const data = pageData();
const { texts } = data;

const request = byId('request', HTMLTextAreaElement);
const secret = byId('secret', HTMLInputElement);
const language = byId('language', HTMLSelectElement);
const cancel = byId('cancel', HTMLButtonElement);
const status = byId('status', HTMLElement);
const progress = byId('progress', HTMLElement);
const verdict = byId('verdict', HTMLElement);
const findings = byId('findings', HTMLElement);
const layers = byId('layers', HTMLElement);
const view = new LayerView(data.layers);
const translator = data.catalog && new Translator(new Entries(data.catalog));

/** @param {string} message */
function translated(message) {
  return translator?.text(message) ?? message;
}

/** @type {{ readonly text: string, readonly bytes: Uint8Array } | undefined} The bytes of the request, if its text is unchanged. */
let source;
/** @type {Worker | undefined} */
let worker;
/** @type {Explanation['programs']} */
let programs;

/** The program of the worker: an asset, or in a single file an element of it. */
const workerUrl = trusted(programUrl());

function programUrl() {
  const inline = document.getElementById('worker');
  if (!inline) return '/assets/debugger-worker.js';
  const script = new Blob([inline.textContent ?? ''], { type: 'text/javascript' });
  return URL.createObjectURL(script);
}

/**
 * Trusted Types let only a policy choose the script of a worker.
 *
 * @param {string} address
 */
function trusted(address) {
  const policy = Object(globalThis).trustedTypes?.createPolicy('mop-worker', {
    createScriptURL: (/** @type {string} */ url) => url,
  });
  return policy ? policy.createScriptURL(address) : address;
}

byId('question', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  explain();
});
submitByKey(request);
cancel.addEventListener('click', () => {
  end();
  status.textContent = texts.cancelled;
  byId('explain', HTMLButtonElement).focus();
});
byId('example', HTMLButtonElement).addEventListener('click', () => {
  // Undo brings back the request that was there.
  request.select();
  request.focus();
  document.execCommand('insertText', false, data.example.request);
  setFieldValues({ secret: data.example.secret, theirs: '', entry: '', 'sent-at': '' });
  explain();
});
byId('question', HTMLFormElement).addEventListener('input', markOld);
byId('file', HTMLInputElement).addEventListener('change', openFile);
request.addEventListener('paste', keepPasted);
byId('write', HTMLButtonElement).addEventListener('click', writeRequest);
byId('show', HTMLButtonElement).addEventListener('click', toggleSecret);
language.addEventListener('input', showProgram);
keepAcrossLanguages(kept, start);
if (data.start) start(data.start);

/** The inputs without the secret, and without those that may contain it. */
function kept() {
  const hidden = secret.value.trim();
  const isHarmless = (/** @type {string} */ text) =>
    hidden === '' || !text.replaceAll('\0', '').includes(hidden);
  const fields = Object.entries(fieldValues()).filter(
    ([name, value]) => !['secret', 'theirs'].includes(name) && isHarmless(value),
  );
  const { bytes = new Uint8Array() } = currentSource() ?? {};
  const isKept = bytes.length > 0 && isHarmless(new TextDecoder('latin1').decode(bytes));
  return { fields: Object.fromEntries(fields), bytes: isKept ? base64(bytes) : undefined };
}

/** @param {{ fields: Readonly<Record<string, string>>, bytes?: string | undefined }} inputs The request in base64. */
function start({ fields, bytes }) {
  setFieldValues(fields);
  if (bytes !== undefined) {
    setRequest(Uint8Array.from(atob(bytes), (byte) => byte.charCodeAt(0)));
  }
}

/** The verdict belongs to other inputs as soon as one changes. */
function markOld() {
  verdict.dataset.old = '';
}

function explain() {
  if (!byId('question', HTMLFormElement).reportValidity()) return;
  end();
  clear();
  if (request.value.trim() === '') {
    status.textContent = texts.empty;
    request.focus();
    return;
  }
  try {
    worker = new Worker(workerUrl);
  } catch {
    status.textContent = texts.notStarted;
    return;
  }
  worker.addEventListener('message', (/** @type {MessageEvent<WorkerMessage>} */ { data }) =>
    receive(data),
  );
  worker.addEventListener('error', () => {
    end();
    status.textContent = texts.notStarted;
  });
  cancel.hidden = false;
  status.textContent = texts.working;
  worker.postMessage(question());
}

/** The bytes of the request, unless its text was edited. */
function currentSource() {
  return source?.text === request.value ? source : undefined;
}

/** @returns {Question} */
function question() {
  const number = (/** @type {string} */ id) => {
    const { valueAsNumber } = byId(id, HTMLInputElement);
    return Number.isNaN(valueAsNumber) ? undefined : valueAsNumber;
  };
  return {
    request: currentSource()?.bytes ?? request.value,
    secret: secret.value,
    theirs: byId('theirs', HTMLTextAreaElement).value,
    entry: number('entry'),
    sentAt: number('sent-at'),
    effort: /** @type {Question['effort']} */ (byId('effort', HTMLSelectElement).value),
  };
}

/** Ends the worker, if it works. */
function end() {
  worker?.terminate();
  worker = undefined;
  cancel.hidden = true;
  progress.textContent = '';
}

/** Removes the results of an earlier question. */
function clear() {
  delete verdict.dataset.old;
  programs = undefined;
  byId('program-part', HTMLElement).hidden = true;
  layers.replaceChildren();
  findings.replaceChildren();
}

/** @param {WorkerMessage} message */
function receive(message) {
  if (message.kind === 'progress') {
    progress.textContent = fill(texts.tried, { count: message.candidates.toLocaleString() });
    return;
  }
  end();
  status.textContent = texts.done;
  if (message.kind === 'explained') {
    const { explanation } = message;
    showExplanation(translator ? translatedExplanation(explanation, translator) : explanation);
  } else {
    showFailure(translated(message.message), translated(message.hint));
  }
  const heading = byId('verdict-title', HTMLElement);
  heading.focus({ preventScroll: true });
  reveal(heading);
}

const LINE = { class: 'verdict-line' };

/** @param {Explanation} explanation */
function showExplanation(explanation) {
  const { outcome, message, hint, diagnosis, warnings, theirs, layers: found } = explanation;
  const kind = outcome === 'right' ? 'right' : 'wrong';
  findings.replaceChildren(
    messageLine(texts[outcome], { message: sentence(message) }, { ...LINE, 'data-verdict': kind }),
    ...(diagnosis.length > 0 ? [view.mistakes(diagnosis)] : []),
    ...(hint !== '' ? [messageLine(texts.next, { hint })] : []),
    ...view.warnings(warnings),
  );
  layers.replaceChildren(
    ...(theirs ? [theirPart(theirs)] : []),
    view.strings(found),
    section(texts.digest, note(texts.digestNote), ...view.digests(found)),
    view.fields(found),
  );
  programs = explanation.programs;
  byId('program-part', HTMLElement).hidden = programs === undefined;
  showProgram();
}

/** @param {ComparedString} theirs */
function theirPart({ signed, difference, mistakes }) {
  const isSame = difference.every(({ theirs, ours }) => theirs === ours);
  return section(
    texts.theirs,
    note(signed ? texts.theirsSigned : texts.theirsNot),
    ...(mistakes.length > 0 ? [view.mistakes(mistakes)] : []),
    ...(isSame
      ? [note(texts.same)]
      : view.sides(difference, texts.theirsTitle, data.layers.expected)),
  );
}

/**
 * @param {string} message
 * @param {string} hint
 */
function showFailure(message, hint) {
  findings.replaceChildren(
    messageLine(texts.failed, { message }, { ...LINE, 'data-verdict': 'unreadable' }),
    ...(hint === '' ? [] : [messageLine(texts.next, { hint })]),
  );
}

function showProgram() {
  byId('program', HTMLElement).textContent = programs?.[language.value] ?? '';
}

/** @param {Event} event */
async function openFile({ target }) {
  const [chosen] = (target instanceof HTMLInputElement && target.files) || [];
  if (chosen === undefined) return;
  const bytes = new Uint8Array(await chosen.arrayBuffer());
  setRequest(bytes);
}

/**
 * Keeps the line ends of a pasted request, which a text area changes.
 *
 * @param {ClipboardEvent} event
 */
function keepPasted({ clipboardData }) {
  const pasted = clipboardData?.getData('text/plain') ?? '';
  source = { text: pasted.replace(/\r\n?/g, '\n'), bytes: new TextEncoder().encode(pasted) };
}

/**
 * Shows a request whose bytes count until its text is edited: it may be in any charset.
 *
 * @param {Uint8Array} bytes
 */
function setRequest(bytes) {
  request.value = new TextDecoder().decode(bytes);
  markOld();
  source = { text: request.value, bytes };
}

function writeRequest() {
  const fields = [...FIELD_NAMES, 'version'].map((name) => [
    name,
    byId(name, HTMLInputElement).value.trim(),
  ]);
  const mode = byId('mode', HTMLSelectElement).value;
  const business = byId('business', HTMLTextAreaElement).value;
  const text = requestText(mode, business, Object.fromEntries(fields));
  byId('fields-error', HTMLElement).textContent = text === undefined ? texts.badFields : '';
  if (text === undefined) return;
  request.value = text;
  markOld();
}

/** @param {Event} event */
function toggleSecret({ currentTarget }) {
  const isShown = secret.type === 'text';
  secret.type = isShown ? 'password' : 'text';
  if (currentTarget instanceof Element)
    currentTarget.setAttribute('aria-pressed', String(!isShown));
}
