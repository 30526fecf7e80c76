import { HEADER_OF_FIELD, SIGN_HEADERS } from '../../protocol/operations.ts';

const HEADERS: Readonly<Record<string, string>> = {
  ...HEADER_OF_FIELD,
  sign: SIGN_HEADERS.sign,
  version: SIGN_HEADERS.version,
};

/** The names of the typed fields of both modes, which are the ids of their inputs. */
export const FIELD_NAMES = [...Object.keys(HEADER_OF_FIELD), 'sign'];

/**
 * A request with typed fields: JSON for body mode, an HTTP message for header mode. Omits empty
 * fields. Undefined when `business` is not a JSON object. Its digits and order stay.
 */
export function requestText(
  mode: string,
  business: string,
  fields: Readonly<Record<string, string>>,
): string | undefined {
  const inner = membersOf(business.trim() || '{}');
  if (inner === undefined) return undefined;
  const given = Object.entries(fields).filter(([, value]) => value !== '');
  if (mode === 'header') {
    const head = [
      'POST /api/open/ HTTP/1.1',
      'Content-Type: application/json',
      ...given.map(([name, value]) => `${HEADERS[name]}: ${value}`),
    ];
    return [...head, '', `{${inner}}`].join('\n');
  }
  const members = given
    .filter(([name]) => name !== 'version')
    .map(([name, value]) => {
      const isJson = name === 'timestamp' && isScalar(value);
      return `${JSON.stringify(name)}:${isJson ? value : JSON.stringify(value)}`;
    });
  return `{${[...(inner === '' ? [] : [inner]), ...members].join(',')}}`;
}

function isScalar(json: string): boolean {
  return /^(?:-?(?:0|[1-9]\d*)|"[^"\\]*")$/.test(json);
}

function membersOf(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  } catch {
    return undefined;
  }
  return json.trim().slice(1, -1).trim();
}
