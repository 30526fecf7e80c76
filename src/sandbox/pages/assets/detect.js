import { levelName } from './analysis.js';
import { isResult } from './answer.js';
import { copy as copyText } from './clipboard.js';
import { byId, fill, Latest, own, pageData, submitByKey } from './dom.js';
import { fieldValues, keepAcrossLanguages, setFieldValues } from './keep.js';
import { showResult } from './result.js';
import { setUpDictation, setUpReading } from './speech.js';

/** @type {import('../script-data.ts').DetectionData} */
const data = pageData();
const { texts, failures } = data;

const area = byId('text', HTMLTextAreaElement);
const check = byId('check', HTMLButtonElement);
const cancel = byId('cancel', HTMLButtonElement);
const status = byId('status', HTMLElement);
const problem = byId('error', HTMLElement);
const section = byId('result', HTMLElement);
const latest = new Latest();
/**
 * The displayed result.
 *
 * @type {import('./answer.js').Result | undefined}
 */
let shown;

/** A check that ended without a result. The message is shown to the user. */
class CheckFailure extends Error {
  /**
   * @param {string} message
   * @param {boolean} ofText Whether the entered text caused the failure.
   */
  constructor(message, ofText) {
    super(message);
    this.ofText = ofText;
  }
}

/**
 * @param {string} text
 * @param {AbortSignal} signal
 * @throws {CheckFailure}
 */
async function detect(text, signal) {
  const response = await fetch(data.detectPath, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Accept-Language': data.resultLanguage },
    body: JSON.stringify({ text }),
    signal,
  }).catch(lostConnection);
  const body = await response.text().catch(lostConnection);
  const answer = parse(body);
  if (response.ok && isResult(answer)) return answer;
  throw refusal(answer?.error, response.status);
}

/**
 * @returns {never}
 * @throws {CheckFailure}
 */
function lostConnection() {
  throw new CheckFailure(texts.network, false);
}

/** @param {string} body */
function parse(body) {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/**
 * @param {{ code?: unknown, message?: unknown } | undefined} error
 * @param {number} status
 */
function refusal(error, status) {
  const { code, message } = error ?? {};
  const known = typeof code === 'string' ? own(failures, code) : undefined;
  if (known !== undefined) {
    const most = data.maxLength.toLocaleString(data.language);
    return new CheckFailure(fill(known, { most }), /_text$|^text_/.test(String(code)));
  }
  const isInWords = typeof message === 'string' && message.trim() !== '';
  return new CheckFailure(isInWords ? message : fill(texts.unexpected, { status }), false);
}

function start() {
  const text = area.value;
  report('', '');
  if (text.trim() === '') {
    showFailure(new CheckFailure(failures.empty_text, true));
    return;
  }
  report(texts.checking, '');
  setBusy(true);
  void latest.run((signal) => detect(text, signal), {
    done(result) {
      setBusy(false);
      const { overall_risk: level, risk_score: score } = result;
      show(result);
      report(fill(texts.done, { level: levelName(level, data), score }), '');
      // For screen readers only: the result section shows the same.
      status.classList.add('spoken');
      // Do not move the focus while the user edits the text.
      if (area.value === text) byId('result-title', HTMLElement).focus();
    },
    failed(error) {
      setBusy(false);
      if (error instanceof CheckFailure) {
        showFailure(error);
        return;
      }
      showFailure(new CheckFailure(texts.notShown, false));
      // A bug of this page: report it in the browser's console.
      reportError(error);
    },
  });
}

/** @param {import('./answer.js').Result} result */
function show(result) {
  shown = result;
  showResult(result, data);
}

/** @param {CheckFailure} failure */
function showFailure({ message, ofText }) {
  // Hide the findings of the previous text.
  shown = undefined;
  section.hidden = true;
  report('', message);
  if (ofText) {
    area.setAttribute('aria-invalid', 'true');
    area.focus();
  }
}

/**
 * @param {string} words
 * @param {string} failure
 */
function report(words, failure) {
  area.removeAttribute('aria-invalid');
  status.classList.remove('spoken');
  status.textContent = words;
  problem.textContent = failure;
}

/** @param {boolean} busy */
function setBusy(busy) {
  const hadFocus = document.activeElement === cancel;
  cancel.hidden = !busy;
  section.setAttribute('aria-busy', String(busy));
  if (!busy && hadFocus) check.focus();
}

function count() {
  // Count code points, like the service.
  const length = [...area.value].length;
  const [shown, most] = [length, data.maxLength].map((n) => n.toLocaleString(data.language));
  const counter = byId('counter', HTMLElement);
  counter.textContent = fill(texts.counter, { count: shown ?? '', most: most ?? '' });
  counter.classList.toggle('over', length > data.maxLength);
}

/** @param {string} words */
function insert(words) {
  const { value, selectionStart, selectionEnd } = area;
  const before = value.slice(0, selectionStart);
  // Chinese is written without spaces.
  const space =
    /[\p{L}\p{N}\p{P}]$/u.test(before) && !/\p{Script=Han}|[，。！？；：、]/u.test(words)
      ? ' '
      : '';
  area.setRangeText(space + words, selectionStart, selectionEnd, 'end');
  count();
}

async function copy() {
  const rewrite = byId('rewrite', HTMLElement);
  if (await copyText(rewrite.textContent ?? '')) {
    report(texts.copied, '');
  } else {
    getSelection()?.selectAllChildren(rewrite);
    report('', texts.notCopied);
  }
}

byId('detect', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  start();
});
submitByKey(area);
area.addEventListener('input', count);
cancel.addEventListener('click', () => {
  latest.cancel();
  setBusy(false);
  report(texts.cancelled, '');
  area.focus();
});
for (const button of document.querySelectorAll('button[data-example]')) {
  button.addEventListener('click', () => {
    area.value = button.getAttribute('data-example') ?? '';
    count();
    start();
  });
}
byId('copy', HTMLButtonElement).addEventListener('click', copy);

/**
 * Shows a button when its function is available, and otherwise the explanation.
 *
 * @param {'speak' | 'read'} name
 * @param {(button: HTMLButtonElement, stopText: string) => boolean} setUp
 */
function offer(name, setUp) {
  const button = byId(name, HTMLButtonElement);
  const available = setUp(button, button.dataset.stop ?? '');
  button.hidden = !available;
  for (const note of document.querySelectorAll(`[data-note="${name}"]`)) {
    /** @type {HTMLElement} */ (note).hidden = !available;
  }
  byId(`${name}-absent`, HTMLElement).hidden = available;
}

const voice = {
  data,
  say: (/** @type {string} */ words) => report(words, ''),
  fail: (/** @type {string} */ words) => report('', words),
};
offer('speak', (button, stopText) => setUpDictation({ ...voice, button, stopText, heard: insert }));
offer('read', (button, stopText) => {
  const text = () => byId('rewrite', HTMLElement).textContent ?? '';
  return setUpReading({ ...voice, button, stopText, text });
});
keepAcrossLanguages(
  () => ({ fields: fieldValues(), result: shown }),
  ({ fields, result }) => {
    setFieldValues(fields);
    if (!result) return;
    show(result);
    // The names and reasons of rules are in the previous language: replace them in the background.
    void latest.run((signal) => detect(result.text, signal), { done: show, failed() {} });
  },
);
count();
