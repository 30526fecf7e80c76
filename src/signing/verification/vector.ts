import { formEnd, PART_END, partHead } from '../../http/multipart.ts';
import { text, withMember } from '../../json/build.ts';
import { printJson } from '../../json/print.ts';
import type { SignatureMode } from '../../protocol/operations.ts';
import { base64Text, concatBytes, utf8Bytes } from '../bytes.ts';
import { sortedByName } from '../canonical.ts';
import type { DiagnosisId, NamedSecret } from '../diagnosis/mistake.ts';
import { explainContent, type SignatureExplanation } from '../explain.ts';
import { type Header, type RequestBody, sameName } from '../header-mode.ts';
import { maskSecret, secretHider } from '../mask-secret.ts';
import { headersOf, type ReceivedRequest, type SignedContent } from '../received-request.ts';
import { readBody } from '../value-text.ts';
import { type Examination, examineSignature, hasRightSignature, type Verdict } from './verify.ts';

/** A test case for signers in any language: `test/vectors/vector.schema.json`. */
export interface Vector {
  readonly id: string;
  readonly comment: string;
  readonly flags: readonly string[];
  readonly secret: string;
  readonly other_secrets?: readonly string[];
  readonly request: {
    readonly headers: readonly Header[];
    /** Base64 of the bytes. */
    readonly body: string;
  };
  readonly stages: {
    readonly entries: readonly (readonly [name: string, value: string])[];
    readonly canonical: string;
    readonly string_to_sign: string;
  };
  readonly signature: string;
  readonly result: 'valid' | 'invalid';
  readonly diagnosis: readonly { readonly id: DiagnosisId; readonly fields: readonly string[] }[];
}

export interface VectorFile {
  readonly mode: SignatureMode;
  readonly vectors: readonly Vector[];
}

const OTHER_DUMMY_SECRET = 'fedcba9876543210fedcba9876543210';

/** Several secrets: with one, a mistake may by chance give the right signature. */
const DUMMY_SECRETS = Array.from(
  { length: 100 },
  (_, index) => `0123456789abcdef0123456789abcd${(0xef - index).toString(16)}`,
);

/**
 * The request signed with dummy secrets and the same mistakes, with only the headers of the
 * signature. Undefined for an unexplained signature, a request that contains a secret, or a mistake
 * in a part that the vector lacks: the address, the method or another header.
 */
export function vectorOf(
  request: ReceivedRequest,
  { signer, verdict, content, options }: Examination,
  secrets: readonly NamedSecret[],
): Vector | undefined {
  const [own] = secrets;
  if (!signer || !own) return undefined;
  const known = secrets.map(({ secret }) => secret);
  const plain = JSON.stringify([request.body, request.headers]);
  if (secretHider(known, '')(plain) !== plain) return undefined;
  for (const dummy of DUMMY_SECRETS) {
    const dummyOf = (secret: string): string =>
      maskSecret(secret, secret === own.secret ? dummy : OTHER_DUMMY_SECRET);
    const [secret, used] = [dummyOf(own.secret), dummyOf(signer.steps.secret)];
    const { signature } = signer.with({ secret: used });
    const right = explainContent(content, secret);
    const isRight = signature === right.signature;
    if (signature.length !== content.signature.length || isRight !== hasRightSignature(verdict)) {
      continue;
    }
    const again = withSignature(request, content, signature);
    const repeated = examineSignature(again, [...new Set([secret, used])], options).verdict;
    const [outcome, expected] = [repeated, verdict].map((each) => JSON.stringify(outcomeOf(each)));
    return outcome === expected ? vector(verdict, secret, used, again, right) : undefined;
  }
  return undefined;
}

function outcomeOf({ valid, diagnosis }: Verdict): Pick<Vector, 'result' | 'diagnosis'> {
  const found = diagnosis.map(({ id, fields }) => ({ id, fields }));
  return { result: valid ? 'valid' : 'invalid', diagnosis: found };
}

function vector(
  verdict: Verdict,
  secret: string,
  used: string,
  request: ReceivedRequest,
  right: SignatureExplanation,
): Vector {
  const { diagnosis } = verdict;
  return {
    id: diagnosis.map(({ id }) => id).join('-') || 'valid',
    comment: diagnosis.map(commentOf).join('; ') || 'signed right',
    flags: [],
    secret,
    ...(used !== secret && { other_secrets: [used] }),
    request: { headers: request.headers ?? [], body: base64Text(bytesOf(request.body)) },
    stages: {
      entries: sortedByName(right.entries).map(({ name, value }) => [name, value]),
      canonical: right.canonical,
      string_to_sign: right.canonical + secret,
    },
    signature: right.signature,
    ...outcomeOf(verdict),
  };
}

/** The title of a diagnosis, without the name of another account. */
function commentOf({ id, title }: Verdict['diagnosis'][number]): string {
  return id === 'secret-other-profile' ? 'the request was signed with another secret' : title;
}

/** The request with another signature, reduced to its signed headers and Content-Type. */
function withSignature(
  { headers = [], body }: ReceivedRequest,
  content: SignedContent,
  signature: string,
): ReceivedRequest {
  const signed = headersOf(content).map(
    ([name, value]): Header => [name, name === content.signatureName ? signature : value],
  );
  if (typeof body !== 'string') return { headers: [FORM_TYPE, ...signed], body };
  const type = headers.find(([name]) => sameName(name, 'Content-Type')) ?? JSON_TYPE;
  const isInBody = content.mode === 'body';
  return {
    headers: [type, ...signed],
    body: isInBody ? withSign(body, content.signature, signature) : body,
  };
}

/** Replaces `sign` in a JSON body. Other characters stay if the signature occurs once. */
function withSign(body: string, before: string, after: string): string {
  const [start, end, ...others] = body.split(JSON.stringify(before));
  if (end !== undefined && others.length === 0) return start + JSON.stringify(after) + end;
  const object = { kind: 'object', members: readBody(body) } as const;
  return printJson(withMember(object, 'sign', text(after)));
}

const BOUNDARY = 'mop-vector-boundary';
const FORM_TYPE: Header = ['Content-Type', `multipart/form-data; boundary=${BOUNDARY}`];
const JSON_TYPE: Header = ['Content-Type', 'application/json'];

function bytesOf(body: RequestBody): Uint8Array {
  if (typeof body === 'string') return utf8Bytes(body);
  const parts = body.flatMap((field) => [
    utf8Bytes(partHead(field, BOUNDARY)),
    'file' in field ? (field.content ?? new Uint8Array()) : utf8Bytes(field.value),
    utf8Bytes(PART_END),
  ]);
  return concatBytes([...parts, utf8Bytes(formEnd(BOUNDARY))]);
}
