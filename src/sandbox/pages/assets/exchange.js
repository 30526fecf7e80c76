import { byId, fill, Latest, reveal } from './dom.js';
import { jsonView } from './json-view.js';

/**
 * An answer, kept to show it again after a language change.
 *
 * @typedef {{ status: string, time: number, headers: string, body: string }} Reply
 * @import { ExchangeData } from '../script-data.ts'
 */

/** The buttons and the answer of one request; `exchange-parts.ts` creates their elements. */
export class Exchange {
  #latest = new Latest();
  #prefix;
  #page;
  /**
   * The displayed answer.
   *
   * @type {Reply | undefined}
   */
  reply;

  /**
   * @param {string} prefix The prefix of the ids.
   * @param {ExchangeData} page
   */
  constructor(prefix, page) {
    this.#prefix = prefix;
    this.#page = page;
    this.#part('cancel').addEventListener('click', () => {
      this.#latest.cancel();
      this.#setBusy(false);
      this.#report(page.exchangeTexts.cancelled, '');
    });
  }

  /**
   * Sends a request and shows its answer.
   *
   * @param {string} path
   * @param {RequestInit} init
   */
  send(path, init) {
    const { sending, network } = this.#page.exchangeTexts;
    this.#report(sending, '');
    this.#setBusy(true);
    void this.#latest.run((signal) => replyTo(path, { ...init, signal }), {
      done: (reply) => {
        this.#setBusy(false);
        this.show(reply);
        reveal(this.#part('response'));
      },
      failed: () => {
        this.#setBusy(false);
        this.reply = undefined;
        this.#part('response-parts').hidden = true;
        this.#report('', network);
        reveal(this.#part('response'));
      },
    });
  }

  /** @param {Reply} reply */
  show(reply) {
    const { exchangeTexts, language } = this.#page;
    this.reply = reply;
    const time = reply.time.toLocaleString(language);
    this.#report(fill(exchangeTexts.answered, { status: reply.status, time }), '');
    this.#part('response-headers').textContent = reply.headers;
    this.#part('response-body').replaceChildren(jsonView(reply.body));
    this.#part('response-parts').hidden = false;
  }

  /** @param {string} name */
  #part(name) {
    return byId(this.#prefix + name, HTMLElement);
  }

  /**
   * @param {string} status
   * @param {string} failure
   */
  #report(status, failure) {
    this.#part('status').textContent = status;
    this.#part('error').textContent = failure;
  }

  /** @param {boolean} busy */
  #setBusy(busy) {
    const cancel = this.#part('cancel');
    const hadFocus = document.activeElement === cancel;
    cancel.hidden = !busy;
    if (!busy && hadFocus) this.#part('send').focus();
  }
}

/**
 * @param {string} path
 * @param {RequestInit} init
 * @returns {Promise<Reply>}
 */
async function replyTo(path, init) {
  const started = performance.now();
  const response = await fetch(path, init);
  const body = await response.text();
  return {
    status: `${response.status} ${response.statusText}`.trim(),
    time: Math.round(performance.now() - started),
    headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
    body,
  };
}
