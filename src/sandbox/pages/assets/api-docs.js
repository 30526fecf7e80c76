import { pageData } from './dom.js';
import { Exchange } from './exchange.js';
import { jsonView } from './json-view.js';
import { fieldValues, keepAcrossLanguages, setFieldValues } from './keep.js';
import './copy-buttons.js';

/** @type {import('../script-data.ts').ExchangeData} */
const data = pageData();

for (const code of document.querySelectorAll('details.example code')) {
  code.replaceChildren(jsonView(code.textContent ?? ''));
}

/** The forms that try an operation, by the id of the operation. */
const tries = new Map(
  [...document.querySelectorAll('details.try')].map((details) => {
    const form = /** @type {HTMLFormElement} */ (details.querySelector('form'));
    const { operation = '' } = form.dataset;
    return [operation, { details, form, exchange: new Exchange(`${operation}-`, data) }];
  }),
);

for (const { details, form, exchange } of tries.values()) {
  /** @type {HTMLDetailsElement} */ (details).hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const { method = '', path = '' } = form.dataset;
    const headers = new Headers({ Accept: 'application/json' });
    const query = new URLSearchParams();
    for (const field of form.querySelectorAll('input')) {
      if (field.value === '') continue;
      if (field.dataset.in === 'header') headers.set(field.name, field.value);
      else query.set(field.name, field.value);
    }
    const body = form.querySelector('textarea')?.value;
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    const search = query.size > 0 ? `?${query}` : '';
    exchange.send(path + search, { method, headers, ...(body !== undefined && { body }) });
  });
}

keepAcrossLanguages(
  () => ({
    fields: fieldValues(),
    replies: [...tries].map(([operation, { exchange }]) => ({ operation, reply: exchange.reply })),
  }),
  ({ fields, replies }) => {
    setFieldValues(fields);
    for (const { operation, reply } of replies) {
      const tried = tries.get(operation);
      if (!tried || !reply) continue;
      /** @type {HTMLDetailsElement} */ (tried.details).open = true;
      tried.exchange.show(reply);
    }
  },
);
