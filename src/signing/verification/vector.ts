import { type FormField, formEnd, PART_END, partHead } from '../../http/multipart.ts';
import { text } from '../../json/build.ts';
import { printJson } from '../../json/print.ts';
import type { SignatureMode } from '../../protocol/operations.ts';
import { base64Text, concatBytes, utf8Bytes } from '../bytes.ts';
import { sortedByName } from '../canonical.ts';
import type { DiagnosisId, NamedSecret } from '../diagnosis/mistake.ts';
import { explainContent, type SignatureExplanation } from '../explain.ts';
import { type Header, sameName } from '../header-mode.ts';
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
 * The vector of a verdict: the same request, signed with dummy secrets and the same mistakes. It
 * contains only the headers of the signature, and no secret.
 *
 * @returns Undefined when the signature is unexplained or the request contains a secret. Also
 *   undefined when the verdict of the vector differs, because the mistake is in a part that the
 *   vector lacks: the address, the method or another header.
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
    const isSame = outcomeOf(repeated) === outcomeOf(verdict);
    return isSame ? vector(verdict, secret, used, again, right) : undefined;
  }
  return undefined;
}

/** The part of a verdict that a vector contains. */
function outcomeOf({ valid, diagnosis }: Verdict): string {
  return JSON.stringify({ valid, diagnosis: diagnosisOf(diagnosis) });
}

function diagnosisOf(diagnosis: Verdict['diagnosis']): Vector['diagnosis'] {
  return diagnosis.map(({ id, fields }) => ({ id, fields }));
}

function vector(
  { valid, diagnosis }: Verdict,
  secret: string,
  used: string,
  request: ReceivedRequest,
  right: SignatureExplanation,
): Vector {
  return {
    id: diagnosis.map(({ id }) => id).join('-') || 'valid',
    comment: diagnosis.map(commentOf).join('; ') || 'signed right',
    flags: [],
    secret,
    ...(used !== secret && { other_secrets: [used] }),
    request: { headers: request.headers ?? [], body: base64Text(bytesOf(request)) },
    stages: {
      entries: sortedByName(right.entries).map(({ name, value }) => [name, value]),
      canonical: right.canonical,
      string_to_sign: right.canonical + secret,
    },
    signature: right.signature,
    result: valid ? 'valid' : 'invalid',
    diagnosis: diagnosisOf(diagnosis),
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
  newSignature: string,
): ReceivedRequest {
  const { mode, signatureName, signature } = content;
  const isSignature = (name: string, inMode: SignatureMode): boolean =>
    mode === inMode && name === signatureName;
  const signedHeaders = headersOf(content).map(
    ([name, value]): Header => [name, isSignature(name, 'header') ? newSignature : value],
  );
  if (typeof body === 'string') {
    const type = headers.find(([name]) => sameName(name, 'Content-Type'));
    return {
      headers: [type ?? ['Content-Type', 'application/json'], ...signedHeaders],
      body: mode === 'header' ? body : withField(body, signature, newSignature),
    };
  }
  const type: Header = ['Content-Type', `multipart/form-data; boundary=${BOUNDARY}`];
  const form = body.map((field) =>
    isSignature(field.name, 'body') ? { name: field.name, value: newSignature } : field,
  );
  return { headers: [type, ...signedHeaders], body: form };
}

/** Replaces `sign` in a JSON body. Other characters stay unless `sign` cannot be located in the text. */
function withField(body: string, signature: string, newSignature: string): string {
  const [quoted, written] = [JSON.stringify(signature), JSON.stringify(newSignature)];
  const field = new RegExp(`("sign"\\s*:\\s*)${quoted.replace(/[^\w"]/g, '\\$&')}`, 'g');
  if (body.match(field)?.length === 1) {
    return body.replace(field, (_, before: string) => before + written);
  }
  const members = readBody(body).map((member) =>
    member.name === 'sign' ? { ...member, value: text(newSignature) } : member,
  );
  return printJson({ kind: 'object', members });
}

function bytesOf({ body }: ReceivedRequest): Uint8Array {
  return typeof body === 'string' ? utf8Bytes(body) : multipart(body);
}

const BOUNDARY = 'mop-vector-boundary';

function multipart(form: readonly FormField[]): Uint8Array {
  const parts = form.flatMap((field) => [
    utf8Bytes(partHead(field, BOUNDARY)),
    'file' in field ? (field.content ?? new Uint8Array()) : utf8Bytes(field.value),
    utf8Bytes(PART_END),
  ]);
  return concatBytes(...parts, utf8Bytes(formEnd(BOUNDARY)));
}
