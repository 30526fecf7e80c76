import type { Entry } from '../../src/signing/canonical.ts';
import type { Header } from '../../src/signing/header-mode.ts';
import texts from './vectors/signing.json' with { type: 'json' };

/** A field of the body with its signed text; null where the mode decides. */
type Field = readonly [name: string, value: string | null];

interface Steps {
  readonly fields: readonly Field[];
  /** The sent business fields; missing when the body of the vector is compact. */
  readonly sent?: string;
}

/**
 * The steps between the body of a vector and its canonical string, by hand, so that a failure
 * names the step.
 */
const STEPS: Readonly<Record<string, Steps>> = {
  '01': {
    fields: [
      ['bill_date', '2026-11-19'],
      ['bill_type', '0'],
      ['tar_type', '1'],
    ],
  },
  '02': {
    fields: [
      ['a', '1'],
      ['b', null],
      ['c', ''],
    ],
  },
  '03': {
    fields: [
      ['remark', ''],
      ['bill_type', '0'],
    ],
  },
  '04': {
    fields: [
      ['lat', '30.10'],
      ['lon', '120.0'],
      ['e', '1e2'],
      ['z', '-0'],
      ['big', '3791411052119578828'],
    ],
  },
  '05': {
    fields: [
      ['on', 'true'],
      ['off', 'false'],
    ],
  },
  '06': {
    fields: [
      ['goods', '{"b":1,"a":[1,2.50,null,true]}'],
      ['z', '1'],
    ],
    sent: '{"goods":{"b":1,"a":[1,2.50,null,true]},"z":1}',
  },
  '07': {
    fields: [
      ['ids', '[3,1,2]'],
      ['names', '["b","a"]'],
    ],
  },
  '08': {
    fields: [
      ['city', '杭州'],
      ['name', 'Zoë'],
      ['emoji', '🚕'],
    ],
  },
  '09': {
    fields: [
      ['path', 'a/b'],
      ['quote', '"q"'],
      ['tab', 'a\tb'],
      ['u', '杭州'],
    ],
    sent: String.raw`{"path":"a/b","quote":"\"q\"","tab":"a\tb","u":"杭州"}`,
  },
  '10': {
    fields: [['o', String.raw`{"path":"a/b","u":"杭","q":"\"","n":"x\ny"}`]],
    sent: String.raw`{"o":{"path":"a/b","u":"杭","q":"\"","n":"x\ny"}}`,
  },
  '11': {
    fields: [
      ['b', '1'],
      ['B', '2'],
      ['a', '3'],
      ['A', '4'],
      ['_', '5'],
      ['1', '6'],
      ['10', '7'],
      ['2', '8'],
    ],
  },
  '12': {
    fields: [
      ['q', 'a=1&b=2'],
      ['r', 'x y+z%20'],
    ],
  },
  '13': {
    fields: [
      ['sign', 'XXXX'],
      ['a', '1'],
    ],
  },
  '14': {
    fields: [
      ['city', '330100'],
      ['lat', '30.27'],
    ],
  },
  '15': {
    fields: [
      ['x-tms-nonce', 'body'],
      ['nonce_', 'n'],
    ],
  },
};

/** Every vector of `vectors/signing.json` with the steps that lead to its two signatures. */
export const vectors = texts.map((vector) => {
  const steps = STEPS[vector.id];
  if (!steps) throw new Error(`vector ${vector.id} has no steps in vectors.ts`);
  const sent = steps.sent ?? vector.body;
  const sign = vector.body_mode.sign;
  const extraHeaders = vector.header_mode.extra_headers as unknown as readonly Header[];
  return {
    title: `${vector.id}: ${vector.comment}`,
    text: vector.body,
    fields: steps.fields,
    credentials: { apiKey: vector.api_key, secret: vector.secret },
    seqId: vector.seq_id,
    timestamp: vector.timestamp,
    nonce: vector.nonce,
    bodyMode: {
      ...vector.body_mode,
      entries: [
        ...steps.fields.flatMap(([name, value]) =>
          name === 'sign' || value === null ? [] : [entry(name, value, 'business')],
        ),
        entry('api_key', vector.api_key, 'common'),
        entry('seq_id', vector.seq_id, 'common'),
        entry('timestamp', String(vector.timestamp), 'common'),
        entry('nonce', vector.nonce, 'common'),
      ],
      body:
        `${sent.replace('"sign":"XXXX",', '').slice(0, -1)},"api_key":"${vector.api_key}",` +
        `"seq_id":"${vector.seq_id}","timestamp":${vector.timestamp},` +
        `"nonce":"${vector.nonce}","sign":"${sign}"}`,
    },
    headerMode: {
      ...vector.header_mode,
      extraHeaders,
      businessEntries: steps.fields.map(([name, value]) => entry(name, value ?? '', 'business')),
      headers: [
        ['X-TMS-Sign-Ver', '2.0'],
        ['X-TMS-Api-Key', vector.api_key],
        ['X-TMS-Timestamp', String(vector.timestamp)],
        ['X-TMS-Seq-Id', vector.seq_id],
        ['X-TMS-Nonce', vector.nonce],
        ...extraHeaders,
      ] as readonly Header[],
      body: sent,
    },
  };
});

function entry(name: string, value: string, source: Entry['source']): Entry {
  return { name, value, source };
}
