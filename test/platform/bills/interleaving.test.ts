import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MopError } from '../../../src/errors.ts';
import { isGzip } from '../../../src/files/chunks.ts';
import { storeBill } from '../../../src/platform/bills/fetch.ts';
import { resolveOptions } from '../../../src/platform/bills/fetch-options.ts';
import { LEDGER_NAME, type LedgerEntry } from '../../../src/platform/bills/ledger.ts';
import type { OperationClient } from '../../../src/platform/operation-client.ts';
import { NOW, temporaryDirectory } from '../../support/cli.ts';
import { type Fault, runScheduled } from './scheduled-runs.ts';
import { storedLine } from './support.ts';

const NAME = 'x.csv';
/** Of one length, so that the size of a file reveals nothing. */
const CONTENTS = [
  'order_id,amount\n1,2.5\n',
  'order_id,amount\n1,9.7\n',
  'order_id,amount\n7,0.1\n',
];

interface StoredFile {
  readonly content: string;
  readonly isGzip: boolean;
}

/** The newest line about the file. */
interface Line {
  readonly content: string;
  readonly verified: boolean;
  readonly profile: string;
}

interface State {
  readonly file: StoredFile | undefined;
  readonly line: Line | undefined;
}

interface Run extends StoredFile {
  readonly hasDigest: boolean;
  readonly overwrite: boolean;
  readonly acceptUnverified: boolean;
  readonly profile: string;
  readonly fault: Fault | undefined;
}

interface Case {
  readonly before: State;
  readonly runs: readonly [Run, Run];
  /** Whether both runs are work of one process, which queues it. Otherwise each polls the lock. */
  readonly inOneProcess: boolean;
}

interface End extends State {
  /** The status of each bill, or the code of its error. */
  readonly outcomes: readonly string[];
}

const content = fc.constantFrom(...CONTENTS.slice(0, 2));
const usually = <T>(usual: T, other: T) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, fc.constant(other));
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const profile = usually('default', 'other');
const line = fc.record({ content, verified: fc.boolean(), profile });

/** Runs with different contents and settings, usually without a file before. */
function anyCase(fault: fc.Arbitrary<Fault | undefined>): fc.Arbitrary<Case> {
  const run = fc.record({
    ...{ content, profile, fault, acceptUnverified: fc.boolean() },
    isGzip: usually(false, true),
    hasDigest: usually(true, false),
    overwrite: usually(false, true),
  });
  const file = fc.record({ content: fc.constantFrom(...CONTENTS), isGzip: usually(false, true) });
  const before = fc.record({ file: optional(file), line: optional(line) });
  return fc.record({ before, runs: fc.tuple(run, run), inOneProcess: usually(false, true) });
}

/** Runs with `overwrite`, with a file before that may have their content. */
const replacingCase: fc.Arbitrary<Case> = fc
  .record({
    file: fc.record({ content, isGzip: fc.constant(false) }),
    line: optional(fc.record({ content, verified: usually(true, false), profile })),
    runs: fc.tuple(replacingRun(), replacingRun()),
  })
  .map(({ file, line, runs }) => ({ before: { file, line }, runs, inOneProcess: false }));

function replacingRun(): fc.Arbitrary<Run> {
  const constants = { isGzip: fc.constant(false), profile: fc.constant('default') };
  return fc.record({
    ...{ content, ...constants, fault: fc.constant(undefined) },
    ...{ hasDigest: fc.boolean(), acceptUnverified: usually(true, false) },
    overwrite: usually(true, false),
  });
}

/** The expected end of a run without another run. */
function runAlone({ file, line }: State, run: Run): { outcome: string; state: State } {
  const { content, isGzip, hasDigest, overwrite, acceptUnverified, profile, fault } = run;
  const kept = { outcome: 'io', state: { file, line } };
  const recorded: Line = { content, verified: hasDigest, profile };
  if (file?.content === content && file.isGzip === isGzip) {
    const isRecorded =
      line?.profile === profile && line.content === content && (line.verified || !hasDigest);
    if (isRecorded) return { ...kept, outcome: 'unchanged' };
    return fault === 'appendFile'
      ? kept
      : { outcome: 'unchanged', state: { file, line: recorded } };
  }
  if (file && !overwrite) return kept;
  if (file && line?.verified && !hasDigest && !acceptUnverified) return kept;
  if (fault === 'rename') return kept;
  const placed = { content, isGzip };
  // The next run records the file.
  if (fault === 'appendFile') return { outcome: 'io', state: { file: placed, line } };
  return { outcome: 'downloaded', state: { file: placed, line: recorded } };
}

/** The end of two runs, one after the other. */
function endInOrder({ before, runs }: Case, [first, second]: readonly [0 | 1, 0 | 1]): End {
  const one = runAlone(before, runs[first]);
  const other = runAlone(one.state, runs[second]);
  const outcomes = [one.outcome, other.outcome];
  return { ...other.state, outcomes: first === 0 ? outcomes : outcomes.reverse() };
}

function bytesOf({ content, isGzip }: StoredFile): Buffer {
  return isGzip ? gzipSync(content) : Buffer.from(content);
}

function digestOf(verified: boolean, content: string): { type: string; value: string } {
  const type = verified ? 'MD5' : 'SHA-256';
  return { type, value: createHash(type.replace('-', '')).update(content).digest('hex') };
}

/** A client whose transport returns the bill. */
function scriptedClient({ content }: Run): OperationClient {
  const body = (async function* () {
    yield gzipSync(content);
  })();
  const response = { status: 200, header: () => undefined, body, discard: () => {} };
  return {
    source: { now: () => NOW },
    transport: { send: async () => response },
  } as unknown as OperationClient;
}

async function store(directory: string, run: Run): Promise<string> {
  const { content, isGzip: keepGzip, hasDigest, profile, overwrite, acceptUnverified } = run;
  const owner = { profile, environment: 'production' };
  const options = resolveOptions({ keepGzip, overwrite, acceptUnverified, ledger: owner }, NOW);
  const descriptor = {
    downloadUrl: new URL('http://127.0.0.1/file'),
    authorization: undefined,
    digest: hasDigest ? digestOf(true, content) : undefined,
    seqId: 's-1',
  };
  const job = { date: '2026-11-19', type: 'all' as const, target: join(directory, NAME) };
  return (await storeBill(scriptedClient(run), job, descriptor, options, false)).status;
}

let made = 0;

/** Makes a directory in the given state. */
function directoryWith(parent: string, { file, line }: State): string {
  const directory = join(parent, `${made++}`);
  mkdirSync(directory);
  if (file) writeFileSync(join(directory, NAME), bytesOf(file));
  if (line) {
    const { type, value } = digestOf(line.verified, line.content);
    const digest = { hash_type: type, hash_value: value };
    const entry = storedLine({
      file: NAME,
      profile: line.profile,
      verified: line.verified,
      ...digest,
    });
    writeFileSync(join(directory, LEDGER_NAME), `${JSON.stringify(entry)}\n`);
  }
  return directory;
}

/** Reads the state of a directory. */
function stateOf(directory: string): State {
  const path = join(directory, NAME);
  const bytes = existsSync(path) ? readFileSync(path) : undefined;
  const file = bytes && {
    content: (isGzip(bytes) ? gunzipSync(bytes) : bytes).toString(),
    isGzip: isGzip(bytes),
  };
  return { file, line: newestLine(directory) };
}

function newestLine(directory: string): Line | undefined {
  const path = join(directory, LEDGER_NAME);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  expect(text).toMatch(/^(?:.*\n)*$/);
  const entries: LedgerEntry[] = text
    .split('\n')
    .slice(0, -1)
    .map((each) => JSON.parse(each));
  const newest = entries.at(-1);
  if (!newest) return undefined;
  const { hash_type, hash_value, verified, profile } = newest;
  const isOf = (each: string): boolean => {
    const { type, value } = digestOf(verified, each);
    return type === hash_type && value === hash_value;
  };
  return { content: CONTENTS.find(isOf) ?? `${hash_type} ${hash_value}`, verified, profile };
}

async function endOf(parent: string, given: Case, scheduler: fc.Scheduler): Promise<End> {
  const directory = directoryWith(parent, given.before);
  // The same directory by another name: the queue of the process does not recognise it.
  const alias = `${directory}-alias`;
  symlinkSync(directory, alias);
  const runs = given.runs.map((run, index) => {
    const own = given.inOneProcess || index === 0 ? directory : alias;
    return { name: `run ${index}`, directory: own, fault: run.fault, work: () => store(own, run) };
  });
  const results = await runScheduled(scheduler, runs);
  const outcomes = results.map((result) => {
    if (result.status === 'fulfilled') return result.value;
    if (result.reason instanceof MopError) return result.reason.code;
    throw result.reason;
  });
  const { file, line } = stateOf(directory);
  const others = readdirSync(directory).filter((name) => name !== NAME && name !== LEDGER_NAME);
  expect(others, 'temporary files and locks').toEqual([]);
  return { file, line, outcomes };
}

/** Asserts that each interleaving ends as one run after the other. */
async function expectSerial(cases: fc.Arbitrary<Case>, numRuns: number): Promise<void> {
  const parent = await temporaryDirectory();
  await fc.assert(
    fc.asyncProperty(cases, fc.scheduler(), async (given, scheduler) => {
      const end = await endOf(parent, given, scheduler);
      expect([endInOrder(given, [0, 1]), endInOrder(given, [1, 0])]).toContainEqual(end);
    }),
    { seed: 20261120, numRuns },
  );
}

it('two interleaved runs end as one after the other', async () => {
  await expectSerial(anyCase(fc.constant(undefined)), 40);
});

it('two interleaved runs that may replace a file end as one after the other', async () => {
  await expectSerial(replacingCase, 30);
});

it('a failed rename changes nothing, a failed write of the ledger leaves a complete file', async () => {
  await expectSerial(anyCase(fc.constantFrom(undefined, 'appendFile', 'rename')), 30);
});
