import { fill, make } from './dom.js';
import { shortened, visible } from './visible.js';

/** @import { LayerTexts, Mistake, ShownLayers } from '../../requests/page-data.ts' */

/** Shows the layers of a signature, in the language of the page. */
export class LayerView {
  #texts;

  /** @param {LayerTexts} texts */
  constructor(texts) {
    this.#texts = texts;
  }

  /** @param {readonly Mistake[]} diagnosis */
  mistakes(diagnosis) {
    const { mistakeFields, fix: fixText } = this.#texts;
    const items = diagnosis.map(({ id, title, fields, fix }) => {
      const names = fields.map(visible).join(', ');
      return make(
        'li',
        {},
        make(
          'p',
          { lang: languageOf(title) },
          make('strong', {}, sentence(title)),
          ' ',
          make('code', { class: 'id' }, id),
        ),
        ...(fields.length > 0 ? [make('p', {}, fill(mistakeFields, { names }))] : []),
        messageLine(fixText, { fix }),
      );
    });
    return make('ul', { class: 'mistakes' }, ...items);
  }

  /** @param {readonly string[]} warnings */
  warnings(warnings) {
    return warnings.map((warning) =>
      messageLine(this.#texts.warning, { warning }, { class: 'note' }),
    );
  }

  /** @param {ShownLayers} layers */
  digests({ received, expected }) {
    const { received: got, expected: right } = this.#texts;
    const pairs = /** @type {const} */ ([
      [got, received],
      [right, expected],
    ]);
    return received === expected ? [] : [definitions(pairs)];
  }

  /**
   * The fields and headers of the request, and whether they are signed.
   *
   * @param {ShownLayers} layers
   */
  fields({ entries, omitted, received }) {
    const texts = this.#texts;
    const { name, value, source, inString } = texts;
    const head = [name, value, source, inString].map((title) =>
      make('th', { scope: 'col' }, title),
    );
    const row = (/** @type {readonly string[]} */ [title = '', ...cells]) =>
      make(
        'tr',
        {},
        make('th', { scope: 'row' }, make('code', {}, visible(title))),
        ...cells.map((cell) => make('td', {}, cell)),
      );
    const rows = [
      ...entries.map((entry) =>
        row([entry.name, shortened(entry.value), texts[entry.source], texts.yes]),
      ),
      ...omitted.map((field) =>
        row([
          field.name,
          isSignature(field.name) ? visible(received) : '',
          '',
          fill(texts.no, { reason: field.reason }),
        ]),
      ),
    ];
    const table = make(
      'table',
      { class: 'signed-fields' },
      make('thead', {}, make('tr', {}, ...head)),
      make('tbody', {}, ...rows),
    );
    return section(texts.fields, scrollable(texts.fields, table));
  }

  /**
   * The right string to sign, beside the signed one if it differs.
   *
   * @param {ShownLayers} layers
   */
  strings({ right, signed, difference }) {
    const { string, expected, signed: theirs } = this.#texts;
    if (signed === null) return section(string, code(string, shortened(right)));
    return section(string, ...this.sides(difference, theirs, expected));
  }

  /**
   * Two strings side by side, with their differences marked.
   *
   * @param {ShownLayers['difference']} difference
   * @param {string} theirTitle
   * @param {string} ourTitle
   */
  sides(difference, theirTitle, ourTitle) {
    const side = (/** @type {'theirs' | 'ours'} */ name, /** @type {string} */ title) => {
      const pieces = difference.map((piece) =>
        piece.theirs === piece.ours
          ? shortened(piece[name])
          : make('mark', { class: name }, `⟦${shortened(piece[name])}⟧`),
      );
      return make('div', {}, make('h4', {}, title), code(title, ...pieces));
    };
    return [
      note(this.#texts.differences),
      make('div', { class: 'sides' }, side('theirs', theirTitle), side('ours', ourTitle)),
    ];
  }
}

/**
 * @param {string} title
 * @param {readonly Node[]} parts
 */
export function section(title, ...parts) {
  return make('section', {}, make('h3', {}, title), ...parts);
}

/** @param {readonly (readonly [name: string, value: string])[]} pairs */
export function definitions(pairs) {
  const parts = pairs.flatMap(([name, value]) => [
    make('dt', {}, visible(name)),
    make('dd', {}, make('code', {}, visible(value))),
  ]);
  return make('dl', { class: 'pairs' }, ...parts);
}

/**
 * @param {string} label
 * @param {readonly (Node | string)[]} parts
 */
export function code(label, ...parts) {
  return scrollable(label, make('code', {}, ...parts), 'pre');
}

/**
 * A part that can be scrolled with the keyboard.
 *
 * @param {string} label
 * @param {Node} content
 */
function scrollable(label, content, tag = 'div') {
  const attributes = { role: 'region', 'aria-label': label, tabindex: '0', class: 'scrolled' };
  return make(tag, attributes, content);
}

/**
 * A paragraph with messages of mop, which may be in English in a page of another language.
 *
 * @param {string} template
 * @param {Readonly<Record<string, string>>} values
 * @param {Readonly<Record<string, string>>} attributes
 */
export function messageLine(template, values, attributes = {}) {
  const parts = template.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part;
    const value = values[part] ?? '';
    return make('span', { lang: languageOf(value) }, value);
  });
  return make('p', attributes, ...parts);
}

/** @param {string} message */
function languageOf(message) {
  return /\p{Script=Han}/u.test(message) ? document.documentElement.lang : 'en';
}

/** @param {string} text */
export function note(text) {
  return make('p', { class: 'note' }, text);
}

/** @param {string} text */
export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @param {string} name */
function isSignature(name) {
  return /^(?:x-tms-)?sign$/i.test(name);
}
