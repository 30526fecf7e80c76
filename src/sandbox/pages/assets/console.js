import { mopCommand, wireText } from './commands.js';
import { curlCommand } from './curl.js';
import { byId, pageData, submitByKey } from './dom.js';
import { Exchange } from './exchange.js';
import { isJson } from './json-view.js';
import { fieldValues, keepAcrossLanguages, setFieldValues } from './keep.js';
import { monthlyCost } from './price.js';
import './copy-buttons.js';

/** @type {import('../script-data.ts').ConsoleData} */
const data = pageData();
const { language, texts } = data;

const endpoint = byId('endpoint', HTMLSelectElement);
const area = byId('body', HTMLTextAreaElement);
const exchange = new Exchange('', data);

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

function send() {
  const { method, path, headers, body = null } = currentRequest();
  exchange.send(path, { method, headers, body });
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
byId('price', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());
byId('price', HTMLFormElement).addEventListener('input', calculate);
keepAcrossLanguages(
  () => ({ fields: fieldValues(), reply: exchange.reply }),
  ({ fields, reply }) => {
    setFieldValues(fields);
    if (reply) exchange.show(reply);
  },
);
preview();
calculate();
