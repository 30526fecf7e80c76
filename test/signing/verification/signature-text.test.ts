import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signBody } from '../../../src/signing/body-mode.ts';
import { examineSignature } from '../../../src/signing/verification/verify.ts';
import { testTable } from '../../support/rows.ts';
import { credentials, fakeSource } from '../helpers.ts';

const { body, sign, canonical } = signBody('{"a":"1"}', credentials, {}, fakeSource);
const bytes = Buffer.from(sign, 'hex');
const lower = sign.toLowerCase();
const words = [0, 4, 8, 12].map((at) => bytes.readInt32BE(at));

/** Examines the body with another value of `sign`. */
function examine(value: unknown, effort = 10_000) {
  const request = { body: JSON.stringify({ ...JSON.parse(body), sign: value }) };
  return examineSignature(request, credentials.secret, { now: 1_795_132_800, effort });
}

testTable<readonly [sign: unknown, kind: string, fix: string]>(
  'text in place of a digest is named, with the fix',
  [
    ['[object Promise]', 'a promise', 'await'],
    ['Promise { <pending> }', 'a promise', 'await'],
    ['<coroutine object sign at 0x7f1c>', 'a promise', 'await'],
    ['System.Threading.Tasks.Task`1[System.String]', 'a promise', 'await'],
    ["Instance of 'Future<String>'", 'a promise', 'await'],
    ['java.util.concurrent.CompletableFuture@1b2c[Not completed]', 'a promise', 'get()'],
    ['[object ArrayBuffer]', 'a Buffer', "toString('hex')"],
    ['<Buffer 75 86 0d ... 6 more bytes>', 'a Buffer', "digest('hex')"],
    ['[object Object]', 'an object', 'toString()'],
    ['function md5(s) { return 1 }', 'a function', 'call it'],
    ['[Function: md5]', 'a function', 'call it'],
    ['(s) => md5(s)', 'a function', 'call it'],
    ['<function md5 at 0x7f3a>', 'a function', 'hexdigest()'],
    ['<built-in method hexdigest of _hashlib.HASH object at 0x7f>', 'a function', 'hexdigest()'],
    ['#<Method: Object#sign>', 'a function', 'call it'],
    ['<md5 HASH object @ 0x7f3a5c1d2b50>', 'a hash object of Python', 'hexdigest()'],
    ['<md5 _hashlib.HASH object @ 0x7f3a5c1d2b50>', 'a hash object of Python', 'hexdigest()'],
    ['#<OpenSSL::Digest::MD5>', 'a digest object of Ruby', 'hexdigest'],
    ["bytearray(b'u\\x86')", 'a bytes object of Python', 'hexdigest()'],
    ['System.Byte[]', 'a .NET type', 'BitConverter'],
    ['System.Security.Cryptography.MD5+Implementation', 'a .NET type', 'ComputeHash'],
    ['[B@6d06d69c', 'an array or a MessageDigest of Java', 'HexFormat'],
    ['MD5 Message Digest from SUN, <initialized>\n', 'a MessageDigest of Java', 'digest(bytes)'],
    ['com.example.Signer@1b2c6ec2', 'an object', 'toString()'],
    ['java.util.Optional', 'an optional value', 'get()'],
    ['%!s(func() string=0x1234)', 'a value as Go', 'fmt.Sprintf("%X", sum)'],
    ['&{[1 2] 3}', 'a value as Go', 'hex.EncodeToString'],
    [`7b2261223a2231227dd41d8cd98f00b204e9800998ecf8427e`, 'the MD5 of nothing', 'io.WriteString'],
    ['Array', 'PHP', 'md5($text)'],
    ['Resource id #3', 'PHP', 'md5($text)'],
    ['16 bytes', 'bytes', '%02X'],
    ['Digest::MD5=SCALAR(0x55d0)', 'an object', 'hex digits'],
    ['#<Foo:0x0001>', 'an object', 'hex digits'],
    ['75860D******95AC78', 'masked', 'not masked'],
    ['[REDACTED]', 'masked', 'not masked'],
    ['{{sign}}', 'a placeholder', 'set the variable'],
    [`\${sign}`, 'a placeholder', 'set the variable'],
    ['#{sign}', 'a placeholder', 'set the variable'],
    ['%sign%', 'a placeholder', 'set the variable'],
    ['$sign', 'a placeholder', 'set the variable'],
    ['<sign>', 'a placeholder', 'set the variable'],
    ['%s', 'a placeholder', 'set the variable'],
    ['undefined', 'a missing value', 'return the digest'],
    ['None', 'a missing value', 'return the digest'],
    ['<nil>', 'a missing value', 'return the digest'],
    ['false', 'a truth value', 'success or failure'],
    [' ', 'a missing value', 'return the digest'],
    ['bash: md5: command not found', 'an error message', 'error'],
    ['TypeError: md5 is not a function', 'an error message', 'error'],
    [{ a: 1 }, 'an object', 'toString()'],
    [['x'], 'an object or a list', 'hex digits'],
  ],
  ([value]) => JSON.stringify(value),
  ([value, kind, fix]) => {
    const { verdict, isExplained } = examine(value);
    expect(verdict).toMatchObject({ valid: false, diagnosis: [{ id: 'signature-format' }] });
    expect(verdict.diagnosis[0]?.title).toContain(kind);
    expect(verdict.diagnosis[0]?.fix).toContain(fix);
    expect(isExplained).toBe(true);
  },
);

testTable<readonly [sign: unknown, kind: string]>(
  'the right digest in a text is proved',
  [
    [{ words, sigBytes: 16 }, 'CryptoJS'],
    [JSON.stringify({ words, sigBytes: 16 }), 'CryptoJS'],
    [`{ words: [ ${words.join(', ')} ], sigBytes: 16 }`, 'CryptoJS'],
    [bytes.toJSON(), 'Buffer'],
    [{ ...new Uint8Array(bytes) }, 'Uint8Array'],
    [[...new Int8Array(bytes)], 'a list or a description of bytes'],
    [`<<${[...bytes].join(', ')}>>`, 'a list or a description of bytes'],
    [`[16]byte{${[...bytes].map((byte) => `0x${byte.toString(16)}`).join(', ')}}`, 'Go'],
    [`#<Digest::MD5: ${lower}>`, 'Ruby'],
    [`{length = 16, bytes = 0x${lower.match(/.{8}/g)?.join(' ')}}`, 'description of bytes'],
    [`Optional("${sign}")`, 'an optional value'],
    [`Some("${sign}")`, 'an optional value'],
    [bytes.toString('latin1'), 'text with the digest in it'],
    [`sign=${sign}`, 'text with the digest in it'],
    [{ sign }, 'an object'],
  ],
  ([value]) => JSON.stringify(value),
  ([value, kind]) => {
    const { verdict, isExplained } = examine(value);
    expect(verdict.diagnosis).toMatchObject([{ id: 'signature-format' }]);
    expect(verdict.diagnosis[0]?.title).toContain(kind);
    expect(verdict.diagnosis[0]?.title).toContain('the digest in it is right');
    expect(isExplained).toBe(true);
  },
);

describe('a wrong digest in a text', () => {
  const bufferOf = (text: string) => createHash('md5').update(text).digest().toJSON();

  it('is explained too', () => {
    const { verdict, isExplained } = examine(
      bufferOf(`${canonical}&key=${credentials.secret}`),
      1e7,
    );
    const ids = verdict.diagnosis.map(({ id }) => id);
    expect(ids).toEqual(['secret-joined', 'signature-format']);
    expect(isExplained).toBe(true);
  });

  it('may stay unexplained', () => {
    const { verdict, isExplained } = examine(bufferOf('nobody knows'), 1e6);
    expect(verdict.diagnosis).toMatchObject([{ title: expect.stringContaining('is wrong too') }]);
    expect(isExplained).toBe(false);
  });
});

it('is not recognised in a digest, in chance text, or slowly in long text', () => {
  for (const value of ['x'.repeat(32), 'ABC!', 'F'.repeat(33), '签名', '0', '{"'.repeat(100_000)]) {
    expect(examine(value).verdict.diagnosis).toEqual([]);
  }
});
