import { expect, it } from 'vitest';
import { DEFAULT_READINGS, type Readings } from '../../../src/protocol/readings.ts';
import { digest } from '../../../src/signing/canonical.ts';
import { explainSignature } from '../../../src/signing/explain.ts';
import type { Header } from '../../../src/signing/header-mode.ts';
import type { ReceivedRequest } from '../../../src/signing/received-request.ts';
import { verifySignature } from '../../../src/signing/verification/verify.ts';
import { testTable } from '../../support/rows.ts';
import { credentials } from '../helpers.ts';

const { secret } = credentials;
const NOW = 1_795_132_800;
const COMMON = `"api_key":"k","nonce":"0123456789","seq_id":"s","timestamp":${NOW}`;
const STRING = `api_key=k&nonce=0123456789&seq_id=s&timestamp=${NOW}`;

/** A request of body mode whose only business field is `a`, signed with this text for it. */
function bodyRequest(sent: string, signed: string, key = secret): ReceivedRequest {
  const sign = digest(`a=${signed}&${STRING}`, key);
  return { body: `{"a":${sent},${COMMON},"sign":"${sign}"}` };
}

const HEADERS: readonly Header[] = [
  ['X-TMS-Api-Key', 'k'],
  ['X-TMS-Seq-Id', 's'],
  ['X-TMS-Sign-Ver', '2.0'],
  ['X-TMS-Timestamp', String(NOW)],
];

/** A request of header mode, signed over its headers and these pairs. */
function headerRequest(body: string, pairs: string, headers = HEADERS): ReceivedRequest {
  const names = headers.map(([name, value]) => `${name}=${value}`).join('&');
  const sign = digest(`${names}${pairs}`, secret);
  return { body, headers: [...headers, ['X-TMS-Sign', sign]] };
}

const verify = (request: ReceivedRequest, readings?: Readings) =>
  verifySignature(request, secret, { now: NOW, readings });

/** White space and an escape, as a signer may send them. */
const SENT = '{ "b": [1,  2.0], "c":"\\u676d\\/" }';
const COMPACT = '{"b":[1,2.0],"c":"杭/"}';
const AS_SENT = bodyRequest(SENT, SENT);
const PYTHON = '{"b": [1, 2]}';

const compact: Readings = { 'nested-json': 'compact' };
const asSent: Readings = { 'nested-json': 'as-sent' };
const nullAs = (value: 'any' | 'empty' | 'omit' | 'text'): Readings => ({
  'null-in-header': value,
});
const NULLS = '{"a":null,"b":1}';
const [EMPTY, OMIT, TEXT] = ['&a=&b=1', '&b=1', '&a=null&b=1'].map((pairs) =>
  headerRequest(NULLS, pairs),
) as [ReceivedRequest, ReceivedRequest, ReceivedRequest];

interface Row {
  readonly title: string;
  readonly request: ReceivedRequest;
  readonly readings?: Readings;
  /** The ids of the diagnosis; none when the signature is right. */
  readonly diagnosis?: readonly string[];
  /** The readings that a warning names. */
  readonly named?: readonly string[];
}

const spacing = ['nested-spacing'];
const rows: readonly Row[] = [
  { title: 'compact JSON has one reading', request: bodyRequest(COMPACT, COMPACT) },
  { title: 'as sent', request: AS_SENT, named: ['nested-json=as-sent'] },
  { title: 'compact', request: bodyRequest(SENT, COMPACT), named: ['nested-json=compact'] },
  {
    title: 'as sent, any',
    request: AS_SENT,
    readings: DEFAULT_READINGS,
    named: ['nested-json=as-sent'],
  },
  { title: 'as sent, chosen', request: AS_SENT, readings: asSent },
  { title: 'compact, chosen', request: bodyRequest(SENT, COMPACT), readings: compact },
  { title: 'as sent is wrong', request: AS_SENT, readings: compact, diagnosis: spacing },
  {
    title: 'compact is wrong',
    request: bodyRequest(SENT, COMPACT),
    readings: asSent,
    diagnosis: spacing,
  },
  {
    title: 'the spaces of Python are wrong',
    request: bodyRequest('{"b":[1,2]}', PYTHON),
    diagnosis: spacing,
  },
  {
    title: 'the spaces of Python are wrong, as sent',
    request: bodyRequest('{"b":[1,2]}', PYTHON),
    readings: asSent,
    diagnosis: spacing,
  },
  {
    title: 'the reading as sent hides no other mistake',
    request: bodyRequest(SENT, SENT, `${secret}\n`),
    diagnosis: ['secret-whitespace'],
  },
  {
    title: 'as sent is one of two mistakes when compact is chosen',
    request: bodyRequest(SENT, SENT, `${secret}\n`),
    readings: compact,
    diagnosis: ['secret-whitespace', 'nested-spacing'],
  },
  { title: 'null as empty', request: EMPTY, named: ['null-in-header=empty'] },
  { title: 'null left out', request: OMIT, named: ['null-in-header=omit'] },
  { title: 'null as text', request: TEXT, named: ['null-in-header=text'] },
  {
    title: 'null as text, any',
    request: TEXT,
    readings: nullAs('any'),
    named: ['null-in-header=text'],
  },
  { title: 'empty, chosen', request: EMPTY, readings: nullAs('empty') },
  { title: 'omit, chosen', request: OMIT, readings: nullAs('omit') },
  { title: 'text, chosen', request: TEXT, readings: nullAs('text') },
  {
    title: 'omit is wrong',
    request: OMIT,
    readings: nullAs('empty'),
    diagnosis: ['empty-dropped'],
  },
  { title: 'text is wrong', request: TEXT, readings: nullAs('omit'), diagnosis: ['null-included'] },
  {
    title: 'empty is wrong',
    request: EMPTY,
    readings: nullAs('text'),
    diagnosis: ['null-included'],
  },
  {
    title: 'body mode omits null in every reading',
    request: {
      body: `{"a":null,${COMMON},"sign":"${digest(`a=&${STRING}`, secret)}"}`,
    },
    readings: nullAs('empty'),
    diagnosis: ['null-included'],
  },
  {
    title: 'two points at once',
    request: headerRequest(`{"a":null,"b":${SENT}}`, `&a=null&b=${SENT}`),
    named: ['nested-json=as-sent', 'null-in-header=text'],
  },
  {
    title: 'two points beside a mistake',
    request: headerRequest(`{"a":null,"b":${SENT}}`, `&b=${SENT}&key=`),
    diagnosis: ['secret-joined'],
  },
  {
    title: 'a point beside two mistakes',
    request: {
      body: `{"a":${SENT},${COMMON},"sign":"${digest(`a=${SENT}&${STRING.replace('seq_id=s&', '')}&key=`, secret)}"}`,
    },
    diagnosis: ['secret-joined', 'field-missing'],
  },
];

testTable(
  'a signature under a reading',
  rows,
  ({ title }) => title,
  ({ request, readings, diagnosis = [], named = [] }) => {
    const verdict = verify(request, readings);
    expect(verdict.diagnosis.map(({ id }) => id)).toEqual(diagnosis);
    expect(verdict.valid).toBe(diagnosis.length === 0);
    expect(verdict.warnings).toEqual(
      named.map((reading) =>
        expect.stringContaining(
          `the signature is right under the reading ${reading}; the documents leave this open`,
        ),
      ),
    );
  },
);

it('explains a request under the reading that gives its signature', () => {
  expect(explainSignature(AS_SENT, secret).canonical).toBe(`a=${SENT}&${STRING}`);
  expect(explainSignature(AS_SENT, secret, compact).canonical).toBe(`a=${COMPACT}&${STRING}`);
  expect(explainSignature(TEXT, secret).canonical).toContain('&a=null&');
});

it('computes one signature when no point is open', () => {
  const { candidates } = verify(bodyRequest(COMPACT, COMPACT));
  expect(candidates).toBe(1);
});

const [nonce, type, text, version] = [
  'the nonce has 5',
  'Content-Type is',
  'timestamp is a string, not an int',
  'X-TMS-Sign-Ver is 2.0, but the signature is in the body',
];
const SHORT: Header = ['X-TMS-Nonce', 'short'];
const headed = headerRequest('{}', '', [HEADERS[0] as Header, SHORT, ...HEADERS.slice(1)]);
const shortBody = { body: '{"nonce":"short","api_key":"k","seq_id":"s","timestamp":1,"sign":"0"}' };
const texts = { body: `{${COMMON.replace(String(NOW), `"${NOW}"`)},"sign":"0"}` };
const typed = (value?: string): ReceivedRequest => ({
  ...bodyRequest('1', '1'),
  headers: [['Host', 'h'], ...(value === undefined ? [] : [['Content-Type', value] as Header])],
});

const versioned = (value: string): ReceivedRequest => ({
  ...bodyRequest('1', '1'),
  headers: [['X-TMS-Sign-Ver', value]],
});

testTable<[string, ReceivedRequest, Readings, string | undefined]>(
  'a limit depends on its reading',
  [
    ['the default, header mode', headed, {}, undefined],
    ['10, header mode', headed, { nonce: '10' }, nonce],
    ['any, header mode', headed, { nonce: 'any' }, undefined],
    ['the default, body mode', shortBody, {}, nonce],
    ['any, body mode', shortBody, { nonce: 'any' }, undefined],
    ['a timestamp in quotes', texts, {}, text],
    ['a timestamp in quotes, lenient', texts, { types: 'lenient' }, undefined],
    ['JSON', typed('application/json; charset=utf-8'), {}, undefined],
    ['another Content-Type', typed('text/plain'), {}, type],
    ['no Content-Type', typed(), {}, type],
    ['no Content-Type, lenient', typed(), { types: 'lenient' }, undefined],
    ['a body alone', bodyRequest('1', '1'), {}, undefined],
    ['the version of header mode in body mode', versioned('2.0'), {}, version],
    ['the version of body mode', versioned('1.0'), {}, undefined],
  ],
  ([title]) => title,
  ([, request, readings, warning]) => {
    const { warnings } = verifySignature(request, secret, { now: NOW, readings, effort: 0 });
    const found = warnings.filter((each) =>
      [nonce, type, text, version].some((one) => each.includes(one)),
    );
    expect(found).toEqual(warning === undefined ? [] : [expect.stringContaining(warning)]);
  },
);
