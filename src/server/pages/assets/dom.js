/**
 * The element with an id. Throws when it does not have the type.
 *
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
export function byId(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} #${id}`);
  return found;
}

/** The data of the page for its script, such as its texts. */
export function pageData() {
  return JSON.parse(byId('data', HTMLScriptElement).textContent ?? '');
}

/**
 * A new element. Strings become text, never markup.
 *
 * @param {string} tag
 * @param {Readonly<Record<string, string>>} attributes
 * @param {readonly (Node | string)[]} children
 */
export function make(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/**
 * A text with its `{names}` replaced.
 *
 * @param {string} template
 * @param {Readonly<Record<string, string | number>>} values
 */
export function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (whole, name) => String(own(values, name) ?? whole));
}

/**
 * The own property of a table for an untrusted key, ignoring inherited properties.
 *
 * @template T
 * @param {Readonly<Record<string, T>>} table
 * @param {string} key
 * @returns {T | undefined}
 */
export function own(table, key) {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/**
 * The base64 of bytes, or of a text in UTF-8.
 *
 * @param {string | Uint8Array} content
 */
export function base64(content) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/**
 * Runs one task at a time. A new task or a cancellation aborts the previous one, whose outcome is
 * then ignored. An error thrown by `done` also goes to `failed`.
 */
export class Latest {
  /** @type {AbortController | undefined} */
  #current;

  /**
   * @template T
   * @param {(signal: AbortSignal) => Promise<T>} task
   * @param {{ done: (value: T) => void, failed: (error: unknown) => void }} outcome
   */
  async run(task, { done, failed }) {
    this.#current?.abort();
    const mine = new AbortController();
    this.#current = mine;
    try {
      const value = await task(mine.signal);
      if (this.#current === mine) done(value);
    } catch (error) {
      if (this.#current === mine) failed(error);
    } finally {
      if (this.#current === mine) this.#current = undefined;
    }
  }

  cancel() {
    this.#current?.abort();
    this.#current = undefined;
  }
}

/**
 * Scrolls an element into view, unless its top is visible already, as on a wide screen.
 *
 * @param {HTMLElement} element
 */
export function reveal(element) {
  const { top } = element.getBoundingClientRect();
  if (top >= 0 && top < innerHeight / 2) return;
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  element.scrollIntoView({ block: 'start', behavior: isStill ? 'auto' : 'smooth' });
}

/**
 * Lets Ctrl+Enter and Cmd+Enter in a text area send its form.
 *
 * @param {HTMLTextAreaElement} area
 */
export function submitByKey(area) {
  area.addEventListener('keydown', (event) => {
    // An input method uses Enter for itself.
    if (event.key !== 'Enter' || event.isComposing || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    area.form?.requestSubmit();
  });
}
