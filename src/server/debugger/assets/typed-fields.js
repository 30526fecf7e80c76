/** The headers of the fields in header mode (D1 5.2). @type {Readonly<Record<string, string>>} */
const HEADERS = {
  api_key: 'X-TMS-Api-Key',
  seq_id: 'X-TMS-Seq-Id',
  timestamp: 'X-TMS-Timestamp',
  nonce: 'X-TMS-Nonce',
  sign: 'X-TMS-Sign',
};

/**
 * The text of a request with typed fields: JSON for a signature in the body (D1 5.1), an HTTP message
 * for one in headers (D1 5.2). Leaves out empty fields. Business fields keep their digits and order.
 *
 * @param {string} mode `body` or `header`.
 * @param {string} business A JSON object.
 * @param {Readonly<Record<string, string>>} fields The common fields and `sign`.
 * @returns {string | undefined} Undefined when `business` is not a JSON object.
 */
export function requestText(mode, business, fields) {
  const inner = membersOf(business);
  if (inner === undefined) return undefined;
  const given = Object.entries(fields).filter(([, value]) => value !== '');
  if (mode === 'header') {
    const headers = given.map(([name, value]) => `${HEADERS[name]}: ${value}`);
    const head = [
      'POST /api/open/ HTTP/1.1',
      'Content-Type: application/json',
      'X-TMS-Sign-Ver: 2.0',
    ];
    return [...head, ...headers, '', `{${inner}}`].join('\n');
  }
  const members = given.map(([name, value]) => {
    const isNumber = name === 'timestamp' && /^\d{1,19}$/.test(value);
    return `${JSON.stringify(name)}:${isNumber ? value : JSON.stringify(value)}`;
  });
  return `{${[...(inner === '' ? [] : [inner]), ...members].join(',')}}`;
}

/** The names of the fields, which are the ids of the inputs. */
export const FIELD_NAMES = Object.keys(HEADERS);

/**
 * The members of a JSON object as text.
 *
 * @param {string} json
 */
function membersOf(json) {
  try {
    const value = JSON.parse(json);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  } catch {
    return undefined;
  }
  return json.trim().slice(1, -1).trim();
}
