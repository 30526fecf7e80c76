/** A row of CSV (RFC 4180), with a line break. */
export function csvLine(fields: readonly (string | undefined)[]): string {
  return `${fields.map((field = '') => (/[",\r\n]/.test(field) ? quoted(field) : field)).join(',')}\n`;
}

function quoted(field: string): string {
  return `"${field.replaceAll('"', '""')}"`;
}
