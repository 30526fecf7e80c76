import { mopCommand, wireText } from './commands.js';
import { curlCommand } from './curl.js';
import { byId, fill, Latest, pageData, submitByKey } from './dom.js';
import { monthlyCost } from './price.js';

/** @type {import('../script-data.ts').ConsoleData} */
const { language, texts } = pageData();

const endpoint = byId('endpoint', HTMLSelectElement);
const area = byId('body', HTMLTextAreaElement);
const cancel = byId('cancel', HTMLButtonElement);
const latest = new Latest();

/** @returns {import('./commands.js').Request} */
function currentRequest() {
  const [method = '', path = ''] = endpoint.value.split(' ');
  const headers = { Accept: 'application/json' };
  return method === 'GET'
    ? { method, path, headers, body: undefined }
    : {
        method,
        path,
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: area.value,
      };
}

function preview() {
  const request = currentRequest();
  const { origin, host } = location;
  byId('body-part', HTMLElement).hidden = request.body === undefined;
  byId('not-json', HTMLElement).hidden = request.body === undefined || isJson(request.body);
  byId('wire', HTMLElement).textContent = wireText(request, host);
  byId('curl', HTMLElement).textContent = curlCommand({
    ...request,
    url: origin + request.path,
    headers: Object.entries(request.headers),
  });
  byId('mop', HTMLElement).textContent = mopCommand(request, origin) ?? texts.notForMop;
}

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} text */
function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // No JSON, or nested too deeply.
    return text;
  }
}

function send() {
  const { method, path, headers, body = null } = currentRequest();
  report(texts.sending, '');
  setBusy(true);
  const started = performance.now();
  const exchange = async (/** @type {AbortSignal} */ signal) => {
    const response = await fetch(path, { method, headers, body, signal });
    const text = await response.text();
    return { response, text, time: Math.round(performance.now() - started) };
  };
  void latest.run(exchange, {
    done({ response, text, time }) {
      setBusy(false);
      const status = `${response.status} ${response.statusText}`.trim();
      report(fill(texts.answered, { status, time: time.toLocaleString(language) }), '');
      const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
      byId('response-headers', HTMLElement).textContent = lines.join('\n');
      byId('response-body', HTMLElement).textContent = indented(text);
      byId('response-parts', HTMLElement).hidden = false;
    },
    failed() {
      setBusy(false);
      byId('response-parts', HTMLElement).hidden = true;
      report('', texts.network);
    },
  });
}

/**
 * @param {string} words
 * @param {string} failure
 */
function report(words, failure) {
  byId('status', HTMLElement).textContent = words;
  byId('error', HTMLElement).textContent = failure;
}

/** @param {boolean} busy */
function setBusy(busy) {
  const hadFocus = document.activeElement === cancel;
  cancel.hidden = !busy;
  if (!busy && hadFocus) byId('send', HTMLButtonElement).focus();
}

/** @param {string} id */
function numberIn(id) {
  const input = byId(id, HTMLInputElement);
  return input.validity.valid ? input.valueAsNumber : Number.NaN;
}

function calculate() {
  const cost = monthlyCost({
    perDay: numberIn('per-day'),
    length: numberIn('length'),
    share: numberIn('share'),
    rulePrice: numberIn('rule-price'),
    modelPrice: numberIn('model-price'),
    prompt: numberIn('prompt'),
  });
  const rate = numberIn('rate');
  const valid = Number.isFinite(cost.total) && rate > 0;
  byId('price-error', HTMLElement).textContent = valid ? '' : texts.badNumber;
  for (const [part, amount] of Object.entries(cost)) {
    show(`${part}-cny`, amount, 'CNY');
    show(`${part}-usd`, amount / rate, 'USD');
  }

  /**
   * @param {string} id
   * @param {number} amount
   * @param {string} currency
   */
  function show(id, amount, currency) {
    const format = new Intl.NumberFormat(language, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
    });
    byId(id, HTMLElement).textContent = valid ? format.format(amount) : '–';
  }
}

byId('request', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  send();
});
submitByKey(area);
endpoint.addEventListener('input', preview);
area.addEventListener('input', preview);
cancel.addEventListener('click', () => {
  latest.cancel();
  setBusy(false);
  report(texts.cancelled, '');
});
byId('price', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());
byId('price', HTMLFormElement).addEventListener('input', calculate);
preview();
calculate();
