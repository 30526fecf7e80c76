import { fill, make } from './dom.js';

/** Larger values are cut: an answer may have any size. */
const MAX_ITEMS = 50;
const MAX_CHARACTERS = 1000;
const MAX_DEPTH = 5;

/**
 * A readable view of any JSON value: fields as a definition list, items as a list.
 *
 * @param {unknown} value
 * @param {string} more A template for the number of omitted items.
 * @param {number} depth
 * @returns {Node | string}
 */
export function fieldList(value, more, depth = 0) {
  if (typeof value === 'string') return cut(value);
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (entries.length === 0 || depth === MAX_DEPTH) return cut(JSON.stringify(value) ?? '');
  const isList = Array.isArray(value);
  const shown = entries.slice(0, MAX_ITEMS).flatMap(([name, each]) => {
    const part = fieldList(each, more, depth + 1);
    return isList ? [make('li', {}, part)] : [make('dt', {}, cut(name)), make('dd', {}, part)];
  });
  const rest = entries.length - MAX_ITEMS;
  const list = make(isList ? 'ul' : 'dl', { class: 'fields-as-sent' }, ...shown);
  return rest > 0 ? make('div', {}, list, make('p', {}, fill(more, { count: rest }))) : list;
}

/** @param {string} text */
function cut(text) {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
