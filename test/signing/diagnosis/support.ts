import { signBody } from '../../../src/signing/body-mode.ts';
import { CATALOGUE, LATER } from '../../../src/signing/diagnosis/catalogue.ts';
import {
  EFFORTS,
  runSearch,
  type SearchResult,
  searchMistakes,
} from '../../../src/signing/diagnosis/diagnose.ts';
import type {
  DiagnosisId,
  Evidence,
  Mistake,
  NamedSecret,
  Variant,
} from '../../../src/signing/diagnosis/mistake.ts';
import { rightSigner, type Signer } from '../../../src/signing/diagnosis/signer.ts';
import { explainSignature } from '../../../src/signing/explain.ts';
import { signHeaders } from '../../../src/signing/header-mode.ts';
import { type ReceivedRequest, signedContent } from '../../../src/signing/received-request.ts';
import { credentials, fakeSource } from '../helpers.ts';

/** A correctly signed request of body mode. */
export function bodyRequest(json: string): ReceivedRequest {
  return { body: signBody(json, credentials, {}, fakeSource).body };
}

/** A request without common fields: its string contains only the fields of `json`. */
export function bareRequest(json: string): ReceivedRequest {
  const signed = (sign: string): ReceivedRequest => ({
    body: json.replace(/\}$/, `${json === '{}' ? '' : ','}"sign":"${sign}"}`),
  });
  return signed(explainSignature(signed('none yet'), credentials.secret).signature);
}

export function headerRequest(
  body: Parameters<typeof signHeaders>[0],
  fields: Parameters<typeof signHeaders>[2] = {},
): ReceivedRequest {
  const signed = signHeaders(body, credentials, fields, fakeSource);
  return {
    headers: Object.entries(signed.headers),
    body: typeof body === 'string' ? (signed.body ?? '') : body,
  };
}

/** The evidence for mistakes, and the signer without a mistake. */
export function caseOf(
  request: ReceivedRequest,
  signature?: string,
  otherSecrets: readonly NamedSecret[] = [],
): { readonly evidence: Evidence; readonly right: Signer } {
  const { secret } = credentials;
  const content = signedContent(request);
  const right = rightSigner(content, secret);
  if (right.signature !== content.signature) throw new Error('the request is not signed right');
  return {
    evidence: { ...content, signature: signature ?? content.signature, secret, otherSecrets },
    right,
  };
}

/** Values for every mistake: non-ASCII text, numbers, booleans, null, empty values, nested JSON. */
const RICH_JSON = `{
  "order_id": "3791411052119578828", "city": "杭州", "lat": 30.10, "lon": 1.2e2, "count": 2000000,
  "fee": 1e-7, "urgent": true, "shared": false, "zero": 0, "none": null, "empty": "", "blank": " ",
  "list": [], "object": {}, "remark": "a b/c\\r\\n\\u2028 \\"x\\" it's\\n", "note": "x&y<z> + \`=\`",
  "encoded": "a%20b", "escaped": "a&amp;b", "name": "Zoe\\u0308 ﬁ é", "Kind": "A", "kind": "B",
  "note2": "x", "key_2": "x", "key_10": "y", "keyB": "z", "乙": "1", "阿": "2",
  "passenger": { "name": "Zoë", "Mobile": "138/0000", "2": null, "1": 30.50, "vip": true },
  "stops": [{ "lat": 30.1, "q": "<&>'\\u2028" }, [1, 2]], "timestamp": 1795132800
}`;

export const RICH_BODY = bodyRequest(RICH_JSON);

export const RICH_HEADERS = headerRequest(RICH_JSON, {
  headers: [
    ['X-TMS-Trace-Id', '7'],
    ['X-TMS-Channel', 'b c'],
  ],
});

export const RICH_FORM = headerRequest([
  { name: 'remark', value: 'a b' },
  { name: 'photo', file: 'a.png', content: Uint8Array.of(0x89, 0x50, 0xff) },
  { name: 'Scan', file: 'b.txt', content: new TextEncoder().encode('text') },
]);

/** The forms in which signers send a digest, made of 32 upper-case hex digits. */
export const SIGNATURE_SHAPES: Readonly<Record<string, (hex: string) => string>> = {
  'upper case': (hex) => hex,
  'lower case': (hex) => hex.toLowerCase(),
  'both cases': (hex) => hex.replace(/[A-C]/g, (digit) => digit.toLowerCase()),
  dashes: (hex) => (hex.match(/../g) ?? []).join('-'),
  UUID: (hex) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-').toLowerCase(),
  '0x': (hex) => `0x${hex}`,
  Base64: (hex) => Buffer.from(hex, 'hex').toString('base64'),
  'Base64 without padding': (hex) => Buffer.from(hex, 'hex').toString('base64url'),
  '16 digits': (hex) => hex.slice(0, 16),
  '31 digits': (hex) => hex.slice(0, 31),
  '40 digits': (hex) => hex + hex.slice(0, 8),
  '64 digits': (hex) => hex + hex,
  'Base64 of 20 bytes': (hex) => Buffer.from(hex + hex.slice(0, 8), 'hex').toString('base64'),
};

/** The secrets of other profiles in {@link search}. */
export const OTHERS = [{ name: 'profile other', secret: 'another secret' }];

/** Searches for the mistakes behind a signature. */
export function search(request: ReceivedRequest, signature: string, effort?: number): SearchResult {
  const { evidence, right } = caseOf(request, signature, OTHERS);
  return runSearch(searchMistakes(right, evidence, effort ?? EFFORTS.normal));
}

export function idsOf({ diagnosis }: SearchResult): readonly DiagnosisId[] {
  return diagnosis.map(({ id }) => id);
}

/** Every mistake. An id with a list that is tried later occurs twice. */
export const MISTAKES: readonly Mistake[] = [...Object.values(CATALOGUE).flat(), ...LATER];

/** Every variant of an id for a request, the first of each title. */
export function variantsOf(id: DiagnosisId, evidence: Evidence): readonly Variant[] {
  const variants = MISTAKES.filter((mistake) => mistake.id === id).flatMap(
    ({ rows, ofRequest }) => [...rows, ...ofRequest(evidence)],
  );
  return [...new Map(variants.map((variant) => [variant.title, variant])).values()];
}

/** The one variant of an id whose title is `end` or ends with it. */
export function variantOf(id: DiagnosisId, end: string, evidence: Evidence): Variant {
  const variants = variantsOf(id, evidence);
  const whole = variants.filter(({ title }) => title === end);
  const found =
    whole.length > 0 ? whole : variants.filter(({ title }) => ` ${title}`.endsWith(` ${end}`));
  const [variant] = found;
  if (variant && found.length === 1) return variant;
  const titles = (found.length > 0 ? found : variants).map(({ title }) => title);
  throw new Error(`${found.length} variants of ${id} end with ${end}: ${titles.join('; ')}`);
}

/** The signer of a request with these mistakes. */
export function signerWith(
  request: ReceivedRequest,
  made: readonly (readonly [id: DiagnosisId, end: string])[],
  signature?: string,
): Signer {
  const { evidence, right } = caseOf(request, signature, OTHERS);
  return made.reduce((signer, [id, end]) => variantOf(id, end, evidence).change(signer), right);
}

/** The rows of a table in a text: one row for each line, with `|` and spaces between the cells. */
export function rowsOfText(text: string): readonly (readonly string[])[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) =>
    line
      .trim()
      .split(/ \|(?= |$)/)
      .map((cell) => cell.trim()),
  );
}

/** Replaces `␊`, `␍`, `␉` and `␠` by the characters that they picture. */
export function withControls(text: string): string {
  return text.replace(/[\u2400-\u2420]/g, (picture) =>
    String.fromCharCode(picture.charCodeAt(0) - 0x2400),
  );
}
