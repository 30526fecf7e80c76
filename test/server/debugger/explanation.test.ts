import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { MopError } from '../../../src/errors.ts';
import EXAMPLE from '../../../src/server/debugger/example.json' with { type: 'json' };
import { explain } from '../../../src/server/debugger/explanation.ts';
import type { Question } from '../../../src/server/debugger/page-data.ts';
import TEXTS from '../../../src/server/debugger/texts.json' with { type: 'json' };
import { signBody } from '../../../src/signing/body-mode.ts';
import { runSearch } from '../../../src/signing/diagnosis/diagnose.ts';
import { signHeaders } from '../../../src/signing/header-mode.ts';
import { mop, NOW } from '../../support/cli.ts';

const OTHER = { apiKey: 'other-key', secret: 'swordfish-of-another-account' };
const FRESH = { timestamp: NOW / 1000, nonce: 'k3JdP0aQ9x', seqId: 'seq-1' };
const RIGHT = signBody('{"a":{"b":1}}', OTHER, FRESH);

function ask(question: Partial<Question>) {
  const all: Question = { request: '', secret: '', theirs: '', effort: 'low', ...question };
  return explain(all, NOW / 1000, async (search) => runSearch(search));
}

describe('the findings are those of mop sign verify --json', () => {
  it.each([
    ['a wrong request', { request: EXAMPLE.request }, []],
    [
      'its time of sending',
      { request: EXAMPLE.request, sentAt: 1795769010 },
      ['--now', '1795769010'],
    ],
    [
      'the string of its signer',
      { request: EXAMPLE.request, theirs: 'log: amount=36.5&api_key=sandbox&x=1' },
      ['--theirs', 'log: amount=36.5&api_key=sandbox&x=1'],
    ],
    [
      'the second request of a log',
      { request: `${EXAMPLE.request}\n\n${EXAMPLE.request.replace('36.5', '37.5')}`, entry: 2 },
      ['--entry', '2'],
    ],
  ] as const)('%s', async (_, question, options) => {
    const { diagnosis, warnings, layers, theirs } = await ask(question);
    const verify = ['sign', 'verify', question.request, '--env', 'sandbox', '--effort', 'low'];
    const { stdout } = await mop([...verify, '--json', ...options]);
    const found = { diagnosis, warnings, expected: layers.expected };
    expect(JSON.parse(stdout)).toMatchObject(JSON.parse(JSON.stringify(found)));
    expect(theirs?.mistakes).toEqual(JSON.parse(stdout).theirs?.diagnosis);
  });
});

describe('the secret', () => {
  it('is that of another account', async () => {
    const { outcome, message, layers, programs } = await ask({
      request: RIGHT.body,
      secret: OTHER.secret,
    });
    expect([outcome, message, layers.received]).toEqual(['right', '', RIGHT.sign]);
    expect(Object.keys(programs ?? {})).toHaveLength(8);
    expect(programs?.python).toContain('API_KEY = "other-key"');
    expect(programs?.python).not.toContain('seq-1');
  });

  it('never occurs in the answer', async () => {
    const wrong = RIGHT.body.replace(RIGHT.sign, RIGHT.sign.toLowerCase());
    const theirs = `${RIGHT.canonical}${OTHER.secret}`;
    const text = JSON.stringify(await ask({ request: wrong, secret: OTHER.secret, theirs }));
    expect(text).toContain('hex-lowercase');
    expect(text).not.toContain(OTHER.secret.slice(0, 12));
  });

  it('never occurs in a failure, or in a program', async () => {
    const request = `api_key=x&b=1${OTHER.secret}`;
    const failure = ask({ request, theirs: request, secret: OTHER.secret });
    await expect(failure).rejects.toThrow(/begins with "api_key=x&b=1<secret>"/);
    const leaked = signBody(JSON.stringify({ note: `x ${OTHER.secret}` }), OTHER, FRESH).body;
    const { programs, outcome } = await ask({ request: leaked, secret: OTHER.secret });
    expect([programs, outcome]).toEqual([undefined, 'right']);
  });

  it('is hidden in the title of a mistake', async () => {
    const sent = signBody(JSON.stringify({ memo: `a ${OTHER.secret}` }), OTHER, FRESH);
    const canonical = sent.canonical.replace(`a ${OTHER.secret}`, `a%20${OTHER.secret}`);
    const sign = createHash('md5')
      .update(canonical + OTHER.secret)
      .digest('hex')
      .toUpperCase();
    const explanation = await ask({
      request: sent.body.replace(sent.sign, sign),
      secret: OTHER.secret,
    });
    expect(explanation.diagnosis[0]?.title).toContain('memo=a%20<secret>');
    expect(JSON.stringify(explanation)).not.toContain(OTHER.secret);
  });

  it('with white space around it is named', async () => {
    const { warnings } = await ask({ request: RIGHT.body, secret: `${OTHER.secret} ` });
    expect(warnings[0]).toBe('the secret begins or ends with white space, which is not removed');
  });

  it('may be left out for the sandbox, and only there', async () => {
    expect(await ask({ request: EXAMPLE.request })).toMatchObject({ outcome: 'wrong' });
    await expect(ask({ request: RIGHT.body })).rejects.toMatchObject({ code: 'config' });
  });
});

it('a program repeats the headers of a request, but not the generated ones', async () => {
  const given = { ...FRESH, headers: [['X-TMS-Extra', 'e']] as const };
  const { headers, body } = signHeaders('{"n":1.50}', OTHER, given);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const request = `POST /api/open/x HTTP/1.1\nHost: h.example\n${lines.join('\n')}\n\n${body}`;
  const { programs } = await ask({ request, secret: OTHER.secret });
  expect(programs?.node).toContain("'X-TMS-Extra'");
  expect(programs?.node).toContain('1.50');
  expect(programs?.node).not.toContain(FRESH.nonce);
});

it('labels of the page name the options in hints', async () => {
  const labels = JSON.stringify(TEXTS.page);
  const request = RIGHT.body.replace(RIGHT.sign, 'A'.repeat(32));
  const { hint, warnings } = await ask({ request, secret: OTHER.secret });
  const missing = await ask({ request, secret: OTHER.secret, entry: 9 }).catch(
    (error: MopError) => error.details.hint,
  );
  const options = `${hint} ${warnings} ${missing}`.match(/--[a-z]+/g) ?? [];
  expect(new Set(options)).toEqual(new Set(['--theirs', '--effort', '--entry']));
  for (const option of options) expect(labels).toContain(option);
});

it('a form has no program', async () => {
  const { headers } = signHeaders([{ name: 'a', value: '1' }], OTHER, FRESH);
  const options = Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`);
  const request = `curl https://h.example/api/open/x ${options.join(' ')} -F a=1`;
  const { outcome, programs } = await ask({ request, secret: OTHER.secret });
  expect([outcome, programs]).toEqual(['right', undefined]);
});
