import { hexText, latin1Bytes } from '../bytes.ts';
import type { Diagnosis } from '../diagnosis/diagnose.ts';

/** A text that a program sent in place of the digits of a digest. */
export interface SignatureText {
  /** Completes a sentence: the signature is … */
  readonly kind: string;
  readonly fix: string;
  /** The 32 hex digits that the text contains, or those of its 16 bytes. */
  readonly digest: string | undefined;
}

const SEND_DIGITS =
  'send the hex digits of the digest, not the object: hexdigest() (Python, Ruby), digest("hex") (Node), toString() (CryptoJS)';

/** The specific ones first. */
const TEXTS: readonly (readonly [pattern: RegExp, kind: string, fix: string])[] = [
  [
    /Promise\b|\bcoroutine object|<(?:Future|Task) |CompletableFuture|Threading\.Tasks\.Task|DeferredCoroutine|Instance of '_?Future/,
    'a promise, a future or a task, not its result',
    'wait for the result: await the function that signs (JavaScript, Python, C#, Dart), or future.get() (Java)',
  ],
  [
    /\bwords"?:\s*\[/,
    'a WordArray of CryptoJS, not its hex digits',
    'call toString(): CryptoJS.MD5(text).toString().toUpperCase()',
  ],
  [
    /"type":\s*"Buffer"|^<Buffer\b|^(?:Uint8Array|ArrayBuffer|Buffer)\b|^\[object (?:Uint8Array|ArrayBuffer)\]|^\{\s*"?0"?:\s*\d+,/,
    'a Buffer or Uint8Array of JavaScript, not its hex digits',
    "print the digest as hex: digest('hex'), or Buffer.from(bytes).toString('hex'), then toUpperCase()",
  ],
  [
    /^(?:async )?function\b|^\[(?:Async)?Function|^\([\w, ]*\)\s*=>|^<(?:bound |built-in )?(?:function|method)|^#<(?:Unbound)?(?:Method|Proc)|^Closure\b|^function:|\$\$Lambda/,
    'a function that was not called, not its result',
    'call it with parentheses: hexdigest() (Python), digest("hex") (Node), md5(text)',
  ],
  [
    /^<\S*(?:md5|HASH|hash)\S* .*object\b/,
    'a hash object of Python, not its digits',
    'call hexdigest(): hashlib.md5(text.encode()).hexdigest().upper()',
  ],
  [
    /^#<(?:OpenSSL::)?Digest\b/,
    'a digest object of Ruby, not its digits',
    'call hexdigest: Digest::MD5.hexdigest(text).upcase',
  ],
  [
    /^(?:b(['"]).*\1|bytearray\(.*\)|<memory at .*>)$/s,
    'a bytes object of Python, not its hex digits',
    'call hexdigest() instead of digest(); decode bytes with .decode() before they are printed',
  ],
  [
    /^System\.[\w.+`[\],]+$/,
    'the name of a .NET type, not its value',
    'call ComputeHash, and print its bytes as hex: Convert.ToHexString(bytes), or BitConverter.ToString(bytes).Replace("-", "")',
  ],
  [
    /^\[+(?:[BCIJSZ]|L[\w.$]+;)@[\da-f]+$|^kotlin\.\w*Array|^\w+ Message Digest from /,
    'an array or a MessageDigest of Java, not its hex digits',
    'print the result of digest(bytes) as hex: HexFormat.of().withUpperCase().formatHex(digest), or String.format("%02X", b) for each byte',
  ],
  [
    /^(?:java\.util\.)?(?:Optional|Some|Ok|Just|Right|Success)\s*[[({]|^(?:java\.util\.)?Optional(?:\.empty)?$|^Err\(/,
    'an optional value (Optional, Some, Ok), not its content',
    'take the content: get() (Java, Scala), ! or ?? (Swift), unwrap() (Rust)',
  ],
  [
    /^%!\w?\(|^&\{|^&?\[\d*\](?:byte|uint8)|^0xc[\da-f]{9}$/,
    'a value as Go prints it for debugging, not hex digits',
    'print the digest as hex: fmt.Sprintf("%X", sum), or strings.ToUpper(hex.EncodeToString(sum[:]))',
  ],
  [
    /^(?:[\da-f]{2}){2,}d41d8cd98f00b204e9800998ecf8427e$/i,
    'the hex of the text followed by the MD5 of nothing (h.Sum(text) of Go appends to the text)',
    'write the text into the hash first: io.WriteString(h, text), then fmt.Sprintf("%X", h.Sum(nil)); or md5.Sum([]byte(text))',
  ],
  [
    /^(?:Array|Resource id #\d+|Object of class \w+.*)$/,
    'an array or a resource of PHP, not a digest',
    'send the text that md5($text) returns, in upper case: strtoupper(md5($text))',
  ],
  [
    /^\d+ bytes$|^\{length ?= ?\d+, bytes ?= ?0x|^<(?:[\da-f]{8} ?){4}>$|^<<\d+(?:,\s*\d+)*>>$|^\[\s*-?\d+(?:(?:\s*,\s*|\s+)-?\d+)+\s*\]$/i,
    'a list or a description of bytes, not their hex digits',
    'print each byte as two hex digits in upper case; Swift: data.map { String(format: "%02X", $0) }.joined()',
  ],
  [
    /^(?:\w+::)*\w+=(?:SCALAR|HASH|ARRAY|CODE|REF)\(0x|^(?:table|userdata|thread): 0x|^#<.*>$|^Instance of '|^<.* at 0x[\da-f]+>$|^\[object \w+\]$|^[\w$.]+@[\da-f]{4,8}\b/is,
    'the description of an object, not a digest',
    SEND_DIGITS,
  ],
  [
    /[*•●∗]{3,}|…|\.{3,}|^\W?(?:redacted|filtered|masked|hidden|removed|secret)\W?$/i,
    'masked: the log replaced its characters',
    'capture the request where the signature is not masked: with curl --trace -, in a proxy, or with the mask switched off in the logger',
  ],
  [
    /^(?:undefined|null|\(null\)|nil|<nil>|None|NaN|void|\s*)$/i,
    'the text of a missing value',
    'return the digest from the function that signs, and check the name of the variable; in JavaScript also await the function',
  ],
  [
    /^\{\{.*\}\}$|^[$#@]?\{[\w.\s-]*\}$|^%[\w.-]+%$|^%(?:\(\w+\))?[sxXvd]$|^[$:@]\w+$|^<%.*%>$|^<[\w -]+>$|^\[\[?[A-Za-z_]\w*\]?\]$|^(?:your|my)?[-_ ]?sign(?:ature)?$/i,
    'a placeholder or a variable that was not replaced by its value',
    'set the variable before the request is sent: run the script that signs first (Postman: pre-request script), use double quotes in a shell, and a template string in JavaScript',
  ],
  [
    /^(?:true|false)$/i,
    'a truth value, not a digest',
    'send the digest itself: a function of the signer returned success or failure',
  ],
  [
    /\w*(?:error|exception)\b|\b(?:traceback|failed|failure|not found|no such file|denied|cannot|unable)\b/i,
    'an error message, not a digest',
    'correct the error in the program that signs, and stop when it fails',
  ],
  [/^\{\s*"?[\w$-]+"?\s*[:=]|^\[[^",]*[",].*\]$/s, 'an object or a list, not text', SEND_DIGITS],
];

/**
 * A text that cannot be a digest. One that merely contains a digest counts only if `isUnknown`: the
 * signature has the form of no known digest.
 */
export function signatureText(signature: string, isUnknown: boolean): SignatureText | undefined {
  const isLong = signature.length > MAX_LENGTH;
  const text = isLong ? signature.slice(0, MAX_LENGTH) + signature.slice(-END_LENGTH) : signature;
  const digest = digestIn(text);
  const [, kind, fix] = TEXTS.find(([pattern]) => pattern.test(text)) ?? [];
  if (kind !== undefined && fix !== undefined) return { kind, fix, digest };
  // With 32 hex digits or 16 raw bytes, the digits decide whether the digest is right.
  if (!isUnknown || digest === undefined) return undefined;
  return {
    kind: 'text with the digest in it, not the digest alone',
    fix: 'send the 32 hex digits of the MD5 in upper case, and nothing else',
    digest,
  };
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
