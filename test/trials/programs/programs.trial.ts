import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MopError } from '../../../src/errors.ts';
import { parseJson } from '../../../src/json/parse.ts';
import { member } from '../../../src/json/value.ts';
import {
  ADDRESS_PREFIX,
  type CommonField,
  HEADER_OF_FIELD,
  type SignatureMode,
  SYNC_PATH,
} from '../../../src/protocol/operations.ts';
import { SANDBOX_CREDENTIALS } from '../../../src/protocol/sandbox.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { signBody } from '../../../src/signing/body-mode.ts';
import type { NullAs } from '../../../src/signing/canonical.ts';
import { headerValue, signHeaders } from '../../../src/signing/header-mode.ts';
import { PROGRAM_LANGUAGES } from '../../../src/signing/programs/languages.ts';
import { valueText } from '../../../src/signing/value-text.ts';
import { send } from '../../sandbox/support.ts';
import { mop } from '../../support/cli.ts';
import { PROGRAM_FILES } from '../../support/program-files.ts';
import { serve } from '../../support/server.ts';
import { isLong } from '../scale.ts';
import {
  type Case,
  caseLine,
  type Outcome,
  outcomeOf,
  randomCases,
  sandboxCases,
  vectorCases,
} from './cases.ts';
import { missingTools, RUNTIMES, type Runtime } from './runtimes.ts';

/**
 * The programs of `mop sign --as LANG` in their runtimes. A language whose runtime is missing is
 * skipped, with a notice.
 */

/** Contains characters that would end a literal, or be expanded in it, in some language. */
const HOSTILE_ASCII =
  String.raw`'"\'"""\" \n \u0022 \\ $x $(date) #{x} #$x {{url}} %s !x */ ?> </script> $` +
  '{x} `date`';
const HOSTILE = `${HOSTILE_ASCII}\n\r\t\u0001\u007f\u0085\u00a0\u202e\u2028\ufeff\uffff 杭州🚕\u{10ffff}0`;

const BODY = `{"text":${JSON.stringify(`${HOSTILE}\0`)},"n":1.0}`;

const SECRET = { MOP_API_SECRET: SANDBOX_CREDENTIALS.secret };

/** One line of text; `go run` adds a line. */
const ONE_LINE = /^error: .+\n(?:exit status 1\n)?$/;

let sandbox: Sandbox;
let directory: string;
beforeAll(async () => {
  // Header names must arrive in the signed spelling.
  sandbox = await startSandbox({ readings: { 'header-names': 'as-sent' } });
  directory = mkdtempSync(join(tmpdir(), 'mop-programs-'));
});
afterAll(async () => {
  await sandbox.close();
  rmSync(directory, { recursive: true, force: true });
});

interface Variant {
  readonly name: string;
  readonly mode: SignatureMode;
  readonly nullAs?: NullAs;
  readonly argv: readonly string[];
}

const VARIANTS: readonly Variant[] = [
  { name: 'body mode', mode: 'body', argv: [] },
  {
    name: 'header mode',
    mode: 'header',
    argv: ['--mode', 'header', '-H', `X-TMS-tRACE: ${HOSTILE_ASCII}`],
  },
  {
    name: 'header mode without null and nonce, in milliseconds',
    mode: 'header',
    nullAs: 'omit',
    argv: ['--mode', 'header', '--null-as', 'omit', '--no-nonce', '--timestamp-unit', 'ms'],
  },
];

describe.each(PROGRAM_LANGUAGES)('%s', (language) => {
  const runtime = RUNTIMES[language];
  const missing = runtime ? missingTools(runtime) : ['its runtime'];
  if (!runtime || missing.length > 0) {
    console.warn(`The ${language} program is not run: ${missing.join(', ')} not found.`);
    it.skip('needs its runtime');
    return;
  }

  /** Prints a program into a new directory; returns the directory. */
  async function printed(name: string, url: string, ...argv: readonly string[]): Promise<string> {
    const home = join(directory, language, name);
    const words = ['sign', BODY, ...argv, '--as', language, '--url', url, '--env', 'sandbox'];
    const { code, stdout, stderr } = await mop(words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, PROGRAM_FILES[language]), stdout);
    return home;
  }

  it('reports a refused connection in one line', async () => {
    const home = await printed('unreachable', 'http://127.0.0.1:1/');
    const { code, stderr } = await shell(runtime.run, home, SECRET);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(ONE_LINE);
  });

  it('sends any text unchanged, and reports a refusal in one line', async () => {
    const { url, requests } = await serve((_, response) => response.writeHead(404).end('no'));
    const home = await printed(
      'refused',
      `${url}/a'$b|[^]?c=%22\u{1f695}|[{^}]`,
      '--api-key',
      HOSTILE,
    );
    const { code, stdout, stderr } = await shell(runtime.run, home, SECRET);
    expect(code).not.toBe(0);
    expect({ stdout, stderr }).toEqual({ stdout: 'no\n', stderr: expect.stringMatching(ONE_LINE) });
    expect(requests).toMatchObject([
      { path: "/a'$b%7C%5B%5E%5D?c=%22%F0%9F%9A%95%7C%5B%7B%5E%7D%5D" },
    ]);
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({
      ...JSON.parse(BODY),
      api_key: HOSTILE,
    });
  });

  describe.each(VARIANTS)('$name', (variant) => {
    const { mode } = variant;
    const { run, built = run } = runtime;
    let home: string;

    beforeAll(async () => {
      const url = `${sandbox.url}${ADDRESS_PREFIX[mode]}${SYNC_PATH}`;
      home = await printed(`${VARIANTS.indexOf(variant)}`, url, ...variant.argv);
      const harness = fileURLToPath(new URL(`harness/${runtime.harnessFile}`, import.meta.url));
      copyFileSync(harness, join(home, runtime.harnessFile));
      if (runtime.build) {
        const compiled = await shell(`${runtime.build} ${mode}`, home, {});
        expect(compiled).toMatchObject({ code: 0, stderr: '' });
      }
    });

    it('runs as printed', async () => {
      const { code, stdout, stderr } = await shell(built, home, SECRET);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toMatchObject({ code: 0, data: JSON.parse(BODY) });
    });

    it.runIf(variant === VARIANTS[0])('reports a missing secret in one line', async () => {
      const { code, stdout, stderr } = await shell(built, home, {});
      expect({ stdout, stderr }).toEqual({ stdout: '', stderr: expect.stringMatching(ONE_LINE) });
      expect(stderr).toContain('MOP_API_SECRET');
      expect(code).not.toBe(0);
    });

    it('signs vectors and random requests as mop does', async () => {
      const toSandbox = sandboxCases(mode);
      // The third variant changes null, and headers that the vectors already contain.
      const random = randomCases(mode);
      // Null is read in one place, and each case of a slow program takes a dozen processes.
      const withNull = random.filter(({ body }) => body.includes('null'));
      const varied = variant.nullAs
        ? withNull.slice(0, runtime.isSlow && !isLong ? 6 : undefined)
        : [...vectorCases(mode, runtime.isSlow), ...random];
      const cases = [...varied, ...toSandbox];
      const outcomes = await signed(runtime, mode, home, cases);
      for (const [index, each] of cases.entries()) {
        const outcome = outcomes[index] as Outcome;
        expect(outcome, each.title).toEqual(expected(each, outcome, variant));
      }
      for (const outcome of outcomes.slice(-toSandbox.length)) await expectAccepted(outcome, mode);
    });
  });
});

/** The result of mop for a case, with the values that the program generated. */
function expected(each: Case, outcome: Outcome, { mode, nullAs, ...options }: Variant): unknown {
  const unit = options.argv.includes('ms') ? 'ms' : 's';
  const generated = generatedFields(outcome, mode, unit);
  let isComplete = true;
  const use = <T>(value: T): T => {
    isComplete = false;
    return value;
  };
  const source = {
    now: () => use(generated.milliseconds),
    seqId: () => use(generated.seqId),
    nonce: () => use(generated.nonce),
  };
  try {
    if (mode === 'body') {
      const { body, sign } = signBody(each.body, each, {}, source);
      if (each.signature && isComplete && !body.includes(each.apiKey)) {
        expect(sign).toBe(each.signature);
      }
      return { body, headers: [] };
    }
    const nonce = options.argv.includes('--no-nonce') ? (false as const) : undefined;
    const fields = { headers: each.headers, nullAs, timestampUnit: unit, nonce } as const;
    const { body, sign, headers } = signHeaders(each.body, each, fields, source);
    if (each.signature && isComplete && nullAs === undefined) expect(sign).toBe(each.signature);
    return { body, headers: Object.entries(headers).sort() };
  } catch (error) {
    if (!(error instanceof MopError)) throw error;
    return { error: expect.stringMatching(/^.+$/) };
  }
}

/** The common fields of a signed request, if they look freshly generated. */
function generatedFields(outcome: Outcome, mode: SignatureMode, unit: 's' | 'ms') {
  if ('error' in outcome) return { milliseconds: 0, seqId: '', nonce: '' };
  const sent = parseJson(outcome.body);
  const textOf = (field: CommonField): string => {
    if (mode === 'header') return headerValue(outcome.headers, HEADER_OF_FIELD[field]) ?? '';
    const value = member(sent, field);
    return value === undefined || value.kind === 'null' ? '' : valueText(value);
  };
  const fresh = (text: string, pattern: RegExp): string =>
    pattern.test(text) ? text : `not a generated value: ${text}`;
  const milliseconds = Number(textOf('timestamp')) * (unit === 's' ? 1000 : 1);
  return {
    milliseconds: Math.abs(milliseconds - Date.now()) < 600_000 ? milliseconds : 0,
    seqId: fresh(textOf('seq_id'), UUID_V4),
    nonce: fresh(textOf('nonce'), /^[A-Za-z0-9]{10}$/),
  };
}

const UUID_V4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

async function expectAccepted(outcome: Outcome, mode: SignatureMode): Promise<void> {
  if ('error' in outcome) throw new Error(outcome.error);
  const url = `${sandbox.url}${ADDRESS_PREFIX[mode]}${SYNC_PATH}`;
  const headers = { 'Content-Type': 'application/json', ...Object.fromEntries(outcome.headers) };
  const { body } = await send(url, { method: 'POST', headers, body: outcome.body });
  expect(JSON.parse(body.toString())).toMatchObject({ code: 0 });
}

/** Signs the cases with the functions of a program, in one process. */
async function signed(
  { harness }: Runtime,
  mode: SignatureMode,
  home: string,
  cases: readonly Case[],
): Promise<readonly Outcome[]> {
  const { code, stdout, stderr } = await shell(
    `${harness} ${mode}`,
    home,
    {},
    cases.map(caseLine).join(''),
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const outcomes = stdout.trimEnd().split('\n').map(outcomeOf);
  expect(outcomes).toHaveLength(cases.length);
  return outcomes.map((outcome) =>
    'error' in outcome ? outcome : { ...outcome, headers: outcome.headers.toSorted() },
  );
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in the C locale, with only PATH, HOME and `variables`. */
function shell(
  command: string,
  cwd: string,
  variables: Readonly<Record<string, string>>,
  input = '',
): Promise<Ended> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, LC_ALL: 'C', ...variables };
  return new Promise((resolve) => {
    const options = { cwd, env, maxBuffer: 2 ** 26 };
    const child = execFile('sh', ['-c', command], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
    });
    child.stdin?.on('error', () => {}).end(input);
  });
}
