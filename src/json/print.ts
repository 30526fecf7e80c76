import type { JsonValue } from './value.ts';

/**
 * Compact JSON text: keeps order, duplicates and digits, and does not escape non-ASCII or `/`.
 * Stored text is printed unchanged.
 *
 * @example
 * ```ts
 * import { printJson } from 'mop-cli/signing';
 *
 * console.log(printJson({ kind: 'array', items: [{ kind: 'number', text: '1e2' }] }));
 * // [1e2]
 * ```
 */
export function printJson(value: JsonValue): string {
  switch (value.kind) {
    case 'string':
      return JSON.stringify(value.value);
    case 'number':
      return value.text;
    case 'boolean':
      return String(value.value);
    case 'null':
      return 'null';
    case 'array':
      return value.text ?? `[${value.items.map(printJson).join(',')}]`;
    case 'object':
      return (
        value.text ??
        `{${value.members
          .map(({ name, value }) => `${JSON.stringify(name)}:${printJson(value)}`)
          .join(',')}}`
      );
  }
}
