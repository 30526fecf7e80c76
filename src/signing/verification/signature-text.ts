import { hexText, latin1Bytes } from '../bytes.ts';
import type { Diagnosis } from '../diagnosis/diagnose.ts';
import KINDS from './signature-texts.json' with { type: 'json' };

/** A text that a program sent in place of the digits of a digest. */
export interface SignatureText {
  /** Completes a sentence: the signature is … */
  readonly kind: string;
  readonly fix: string;
  /** The 32 hex digits that the text contains, or those of its 16 bytes. */
  readonly digest: string | undefined;
}

/** The kinds of text in signature-texts.json, the specific ones first. */
const PATTERNS: { readonly [kind in keyof typeof KINDS]?: RegExp } = {
  promise:
    /Promise\b|\bcoroutine object|<(?:Future|Task) |CompletableFuture|Threading\.Tasks\.Task|DeferredCoroutine|Instance of '_?Future/,
  'word-array': /\bwords"?:\s*\[/,
  buffer:
    /"type":\s*"Buffer"|^<Buffer\b|^(?:Uint8Array|ArrayBuffer|Buffer)\b|^\[object (?:Uint8Array|ArrayBuffer)\]|^\{\s*"?0"?:\s*\d+,/,
  function:
    /^(?:async )?function\b|^\[(?:Async)?Function|^\([\w, ]*\)\s*=>|^<(?:bound |built-in )?(?:function|method)|^#<(?:Unbound)?(?:Method|Proc)|^Closure\b|^function:|\$\$Lambda/,
  'hash-object': /^<\S*(?:md5|HASH|hash)\S* .*object\b/,
  'digest-object': /^#<(?:OpenSSL::)?Digest\b/,
  'bytes-literal': /^(?:b(['"]).*\1|bytearray\(.*\)|<memory at .*>)$/s,
  'type-name': /^System\.[\w.+`[\],]+$/,
  'java-array': /^\[+(?:[BCIJSZ]|L[\w.$]+;)@[\da-f]+$|^kotlin\.\w*Array|^\w+ Message Digest from /,
  optional:
    /^(?:java\.util\.)?(?:Optional|Some|Ok|Just|Right|Success)\s*[[({]|^(?:java\.util\.)?Optional(?:\.empty)?$|^Err\(/,
  'go-value': /^%!\w?\(|^&\{|^&?\[\d*\](?:byte|uint8)|^0xc[\da-f]{9}$/,
  'go-sum': /^(?:[\da-f]{2}){2,}d41d8cd98f00b204e9800998ecf8427e$/i,
  'php-array': /^(?:Array|Resource id #\d+|Object of class \w+.*)$/,
  'byte-list':
    /^\d+ bytes$|^\{length ?= ?\d+, bytes ?= ?0x|^<(?:[\da-f]{8} ?){4}>$|^<<\d+(?:,\s*\d+)*>>$|^\[\s*-?\d+(?:,?\s*-?\d+)+\s*\]$/i,
  object:
    /^(?:\w+::)*\w+=(?:SCALAR|HASH|ARRAY|CODE|REF)\(0x|^(?:table|userdata|thread): 0x|^#<.*>$|^Instance of '|^<.* at 0x[\da-f]+>$|^\[object \w+\]$|^[\w$.]+@[\da-f]{4,8}\b/is,
  masked: /[*•●∗]{3,}|…|\.{3,}|^\W?(?:redacted|filtered|masked|hidden|removed|secret)\W?$/i,
  missing: /^(?:undefined|null|\(null\)|nil|<nil>|None|NaN|void|\s*)$/i,
  placeholder:
    /^\{\{.*\}\}$|^[$#@]?\{[\w.\s-]*\}$|^%[\w.-]+%$|^%(?:\(\w+\))?[sxXvd]$|^[$:@]\w+$|^<%.*%>$|^<[\w -]+>$|^\[\[?[A-Za-z_]\w*\]?\]$|^(?:your|my)?[-_ ]?sign(?:ature)?$/i,
  boolean: /^(?:true|false)$/i,
  error:
    /\w*(?:error|exception)\b|\b(?:traceback|failed|failure|not found|no such file|denied|cannot|unable)\b/i,
  structure: /^\{\s*"?[\w$-]+"?\s*[:=]|^\[.*[",].*\]$/s,
};

/**
 * A text that cannot be a digest. One that merely contains a digest counts only if `isUnknown`: the
 * signature has the form of no known digest.
 */
export function signatureText(signature: string, isUnknown: boolean): SignatureText | undefined {
  const isLong = signature.length > MAX_LENGTH;
  const text = isLong ? signature.slice(0, MAX_LENGTH) + signature.slice(-END_LENGTH) : signature;
  const digest = digestIn(text);
  const known = Object.entries(PATTERNS).find(([, pattern]) => pattern.test(text))?.[0];
  // With 32 hex digits or 16 raw bytes, the digits decide whether the digest is right.
  const name = known ?? (isUnknown && digest !== undefined ? 'around-digest' : undefined);
  if (name === undefined) return undefined;
  const [kind = '', fix = ''] = KINDS[name as keyof typeof KINDS];
  return { kind, fix, digest };
}

/** Longer texts are compared by their start and end: some patterns are slow. */
const MAX_LENGTH = 1000;
const END_LENGTH = 64;

export function textDiagnosis(
  signature: string,
  { kind, fix }: SignatureText,
  state = '',
): Diagnosis {
  const start = signature.length > 60 ? `${signature.slice(0, 50)}…` : signature;
  const shown = /["\p{Cc}]/u.test(start) ? start.replace(/\p{Cc}/gu, '\ufffd') : `"${start}"`;
  const title = `the signature ${shown} is ${kind}${state}`;
  return { id: 'signature-format', title, fields: [], fix };
}

/** The only 32 hex digits in a text, or the hex of the 16 bytes that it lists or consists of. */
function digestIn(text: string): string | undefined {
  const bytes = bytesIn(text);
  if (bytes) return hexText(bytes).toUpperCase();
  const joined = text.replace(/(?<=[\da-f]{8}) (?=[\da-f]{8})/gi, '').replaceAll('0x', ' ');
  const [digits, ...others] = joined.match(/(?<![\da-z])[\da-f]{32}(?![\da-z])/gi) ?? [];
  if (digits === undefined || others.length > 0) return undefined;
  // Descriptions of objects are always in lower case; a quoted text keeps the case of the signer.
  return /^[#{<][^"']*$/.test(text) ? digits.toUpperCase() : digits;
}

function bytesIn(text: string): Uint8Array | undefined {
  const isRaw = /^[\0-\xff]{16}$/.test(text) && /[^ -~]/.test(text);
  if (isRaw) return latin1Bytes(text);
  // Drop the indexes of a printed Uint8Array and the length of a Go array.
  const values = text.replace(/"?\b\d+"?\s*:|\[\d+\]/g, '');
  const list = /[[{(<]([^[\]{}()<>]*)[\]})>]/.exec(values)?.[1] ?? '';
  const numbers = (list.match(/-?\b(?:0x[\da-f]+|\d+)\b/gi) ?? []).map(Number);
  const isWords = numbers.length === 4 && /\bwords\b/.test(text);
  if (isWords) {
    return new Uint8Array(numbers.flatMap((word) => [24, 16, 8, 0].map((by) => word >> by)));
  }
  const isByte = (value: number): boolean => value >= -128 && value <= 255;
  return numbers.length === 16 && numbers.every(isByte) ? new Uint8Array(numbers) : undefined;
}
