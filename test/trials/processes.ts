import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pMap from 'p-map';
import { expect } from 'vitest';
import { temporaryDirectory } from '../support/cli.ts';
import { type Ended, startMop } from '../support/process.ts';

const DIE_AT_STEP = fileURLToPath(new URL('die-at-step.cjs', import.meta.url));

/** The processes hardly wait for anything, so more of them would only slow each other down. */
const CONCURRENCY = 3;

/** The arguments and variables of a process. */
export interface CommandLine {
  readonly args: readonly string[];
  readonly env: Record<string, string>;
}

export interface RunOptions {
  /** Milliseconds until the process is killed. */
  readonly killAfter?: number | undefined;
  /** Variables for `die-at-step.cjs`. */
  readonly steps?: { readonly DIE_AT_STEP: string } | { readonly LIST_STEPS: string } | undefined;
  /** The user and group of the process. Default: the user and group of the tests. */
  readonly id?: number | undefined;
}

/** Runs `bin/mop.js` as a process, until it ends or is killed. */
export async function run(
  { args, env }: CommandLine,
  { killAfter, steps, id }: RunOptions = {},
): Promise<Ended> {
  const node = steps ? ['--require', DIE_AT_STEP] : [];
  const { child, ended } = startMop(args, { ...env, ...steps }, { node, id });
  const timer =
    killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
  return ended.finally(() => clearTimeout(timer));
}

/** A command to kill repeatedly, each time with new files. */
export interface Victim<World extends CommandLine> {
  /** Seeds the random moments. */
  readonly seed: number;
  /** Additional steps at which the command is killed, such as `rename 1`. */
  readonly steps: readonly string[];
  prepare(): Promise<World>;
  /**
   * Checks the invariants after a kill.
   *
   * @returns The phase that the process had reached.
   */
  check(world: World, ended: Ended): Promise<string>;
  /** Runs the command again, and checks the invariants. */
  recover(world: World): Promise<void>;
}

interface Moment extends RunOptions {
  readonly description: string;
}

/**
 * Kills a process with SIGKILL at several moments: at each named step and at the last write, then
 * alternately at steps and at random times of an undisturbed run.
 *
 * @returns The phase that the process had reached at each kill.
 */
export async function killAtMoments<World extends CommandLine>(
  victim: Victim<World>,
  count: number,
): Promise<readonly string[]> {
  const whole = await runUndisturbed(await victim.prepare());
  const moments = momentsOf(victim, count, whole);
  return pMap(
    moments,
    async ({ description, ...moment }) => {
      const world = await victim.prepare();
      const ended = await run(world, moment);
      try {
        expect([null, 0], ended.stderr).toContain(ended.code);
        const phase = await victim.check(world, ended);
        await victim.recover(world);
        return phase;
      } catch (error) {
        if (error instanceof Error) error.message = `killed ${description}: ${error.message}`;
        throw error;
      }
    },
    { concurrency: CONCURRENCY },
  );
}

interface UndisturbedRun {
  readonly steps: readonly string[];
  readonly ms: number;
}

async function runUndisturbed(line: CommandLine): Promise<UndisturbedRun> {
  const path = join(await temporaryDirectory(), 'steps');
  const start = performance.now();
  const { code, stderr } = await run(line, { steps: { LIST_STEPS: path } });
  expect(code, stderr).toBe(0);
  const ms = performance.now() - start;
  return { steps: readFileSync(path, 'utf8').split('\n'), ms };
}

const PARTIAL_WRITE = 'partial write';

function momentsOf(
  { seed, steps: ofVictim }: Pick<Victim<CommandLine>, 'seed' | 'steps'>,
  count: number,
  { steps, ms }: UndisturbedRun,
): Moment[] {
  // The last write would be that of a target that is written in place.
  const writes = steps.filter((step) => step === PARTIAL_WRITE).length;
  const last = writes === 0 ? [] : [`${PARTIAL_WRITE} ${writes}`];
  const named = [...new Set([...ofVictim, ...last])];
  const randomCount = Math.max(0, count - named.length);
  const random = Array.from({ length: randomCount }, (_, index): Moment => {
    const part = (index + fraction(`${seed} ${index}`)) / randomCount;
    const seeded = `(seed ${seed}, moment ${index} of ${randomCount})`;
    if (index % 2 === 0) {
      const killAfter = part * ms;
      return { killAfter, description: `after ${killAfter} of ${ms} ms ${seeded}` };
    }
    const step = Math.floor(part * steps.length);
    const description = `at step ${step + 1} of ${steps.length}, ${steps[step]} ${seeded}`;
    return { steps: { DIE_AT_STEP: `${step + 1}` }, description };
  });
  return [
    ...named.map((step) => ({ steps: { DIE_AT_STEP: step }, description: `at ${step}` })),
    ...random,
  ];
}

/** Hashes a text to a number from 0 up to, but not including, 1. */
function fraction(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}
