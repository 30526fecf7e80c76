import type { JsonMember, JsonValue } from '../json/value.ts';

/**
 * Warns about numbers that another language would print differently after reading them, so that
 * a signer or a server written in it computes another canonical string.
 */
export function portabilityWarnings(members: readonly JsonMember[]): string[] {
  return members.flatMap(({ name, value }) => numberWarnings(name, value));
}

function numberWarnings(path: string, value: JsonValue): string[] {
  switch (value.kind) {
    case 'array':
      return value.items.flatMap((item, index) => numberWarnings(`${path}[${index}]`, item));
    case 'object':
      return value.members.flatMap(({ name, value }) => numberWarnings(`${path}.${name}`, value));
    case 'number': {
      const why = fragileForm(value.text);
      return why ? [`${path} is ${value.text}: ${why}; it is signed as written`] : [];
    }
    default:
      return [];
  }
}

function fragileForm(text: string): string | undefined {
  if (/[eE]/.test(text)) return 'many languages print it without the exponent';
  if (/^-0(?:\.0+)?$/.test(text)) return 'many languages print it as 0';
  if (/\.\d*0$/.test(text)) return 'many languages drop the trailing zeros';
  if (/^-?0\.0000/.test(text)) return 'many languages print it with an exponent';
  const digits = text.replace(/[^0-9]/g, '').replace(/^0+/, '');
  if (digits.length > 15) return 'with more than 15 digits many languages round it';
  return undefined;
}
