import { HEADER_OF_FIELD, PROTOCOL_VERSION, SIGN_HEADERS } from '../../protocol/operations.ts';

const HEADERS: Readonly<Record<string, string>> = { ...HEADER_OF_FIELD, sign: SIGN_HEADERS.sign };

/** The names of the typed fields, which are the ids of their inputs. */
export const FIELD_NAMES = Object.keys(HEADERS);

/**
 * The text of a request with typed fields: JSON for a signature in the body (D1 5.1), an HTTP message
 * for one in headers (D1 5.2). Leaves out empty fields. Business fields keep their digits and order.
 *
 * @param business A JSON object.
 * @param fields The common fields and `sign`, by name.
 * @returns Undefined when `business` is not a JSON object.
 */
export function requestText(
  mode: string,
  business: string,
  fields: Readonly<Record<string, string>>,
): string | undefined {
  const inner = membersOf(business);
  if (inner === undefined) return undefined;
  const given = Object.entries(fields).filter(([, value]) => value !== '');
  if (mode === 'header') {
    const head = [
      'POST /api/open/ HTTP/1.1',
      'Content-Type: application/json',
      `${SIGN_HEADERS.version}: ${PROTOCOL_VERSION.header}`,
      ...given.map(([name, value]) => `${HEADERS[name]}: ${value}`),
    ];
    return [...head, '', `{${inner}}`].join('\n');
  }
  const members = given.map(([name, value]) => {
    const isNumber = name === 'timestamp' && /^\d{1,19}$/.test(value);
    return `${JSON.stringify(name)}:${isNumber ? value : JSON.stringify(value)}`;
  });
  return `{${[...(inner === '' ? [] : [inner]), ...members].join(',')}}`;
}

/** The members of a JSON object as text. */
function membersOf(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  } catch {
    return undefined;
  }
  return json.trim().slice(1, -1).trim();
}
