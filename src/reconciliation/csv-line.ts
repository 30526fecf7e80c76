const FORMULA = /^[=+@＝＋－＠﹦﹢﹣﹫-]/;
/** A spreadsheet may skip white space, invisible characters and quotation marks before a formula. */
const START = /[^\s\p{C}'"`]/u;
/** Our readers remove one of these marks from the start of a cell. */
const MARKED = /^['`]/;
const NUMBER = /^[+-]?(?:\d[\d.,]*|\.\d+)(?:e[+-]?\d+)?%?$/i;

/**
 * For spreadsheets, which run a text like a formula: an apostrophe, which our readers remove, stops
 * it.
 */
export function spreadsheetLine(fields: readonly (string | undefined)[]): string {
  return csvLine(fields.map((field) => field && asText(field)));
}

function asText(field: string): string {
  const start = field.search(START);
  const isFormula = start !== -1 && FORMULA.test(field.slice(start)) && !NUMBER.test(field);
  return isFormula || MARKED.test(field) ? `'${field}` : field;
}

export function csvLine(fields: readonly (string | undefined)[]): string {
  return `${fields.map((field = '') => (/[",\r\n]/.test(field) ? inQuotes(field) : field)).join(',')}\n`;
}

function inQuotes(field: string): string {
  return `"${field.replaceAll('"', '""')}"`;
}
