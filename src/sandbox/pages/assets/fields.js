import { fill, make } from './dom.js';

/** Beyond these, a value is cut: an answer may be of any size. */
const MOST_ITEMS = 50;
const MOST_CHARACTERS = 1000;
const DEEPEST = 5;

/**
 * Any JSON value for a person: fields as a definition list, items as a list.
 *
 * @param {unknown} value
 * @param {string} more A text that says how many items were left out.
 * @param {number} depth
 * @returns {Node | string}
 */
export function fieldList(value, more, depth = 0) {
  if (typeof value === 'string') return cut(value);
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (entries.length === 0 || depth === DEEPEST) return cut(JSON.stringify(value) ?? '');
  const isList = Array.isArray(value);
  const shown = entries.slice(0, MOST_ITEMS).flatMap(([name, each]) => {
    const part = fieldList(each, more, depth + 1);
    return isList ? [make('li', {}, part)] : [make('dt', {}, cut(name)), make('dd', {}, part)];
  });
  const rest = entries.length - MOST_ITEMS;
  const list = make(isList ? 'ul' : 'dl', { class: 'fields-as-sent' }, ...shown);
  return rest > 0 ? make('div', {}, list, make('p', {}, fill(more, { count: rest }))) : list;
}

/** @param {string} text */
function cut(text) {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
