import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pMap from 'p-map';
import { expect } from 'vitest';
import { temporaryDirectory } from '../support/cli.ts';
import { type Ended, startMop } from '../support/process.ts';

const DIE_AT_STEP = fileURLToPath(new URL('die-at-step.cjs', import.meta.url));

/** How many processes run at once. They wait little, so more would only be in each other's way. */
const AT_ONCE = 3;

/** A command line for a process of its own. */
export interface CommandLine {
  readonly args: readonly string[];
  readonly env: Record<string, string>;
}

export interface RunOptions {
  /** Milliseconds until it is killed. */
  readonly killAfter?: number | undefined;
  /** Variables for `die-at-step.cjs`. */
  readonly steps?: { readonly DIE_AT_STEP: string } | { readonly LIST_STEPS: string } | undefined;
  /** The user and group that it runs as, instead of those of the tests. */
  readonly id?: number | undefined;
}

/** Runs `bin/mop.js` as a process of its own, until it ends in one way or the other. */
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
  /** Decides the moments. */
  readonly seed: number;
  /** Steps at which it is killed besides, such as `rename 1`. */
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

/** A moment at which a process is killed, with words for it. */
interface Moment extends RunOptions {
  readonly words: string;
}

/**
 * Kills a process with SIGKILL at several moments: at each named step, then alternately at steps and
 * at random times of an undisturbed run.
 *
 * @returns The phase that the process had reached at each kill.
 */
export async function killAtMoments<World extends CommandLine>(
  victim: Victim<World>,
  count: number,
): Promise<readonly string[]> {
  const whole = await undisturbed(await victim.prepare());
  const moments = momentsOf(victim, count, whole);
  return pMap(
    moments,
    async ({ words, ...moment }) => {
      const world = await victim.prepare();
      const ended = await run(world, moment);
      try {
        expect([null, 0], ended.stderr).toContain(ended.code);
        const phase = await victim.check(world, ended);
        await victim.recover(world);
        return phase;
      } catch (error) {
        if (error instanceof Error) error.message = `killed ${words}: ${error.message}`;
        throw error;
      }
    },
    { concurrency: AT_ONCE },
  );
}

interface Undisturbed {
  readonly steps: readonly string[];
  readonly ms: number;
}

async function undisturbed(line: CommandLine): Promise<Undisturbed> {
  const path = join(await temporaryDirectory(), 'steps');
  const start = performance.now();
  const { code, stderr } = await run(line, { steps: { LIST_STEPS: path } });
  expect(code, stderr).toBe(0);
  const ms = performance.now() - start;
  return { steps: readFileSync(path, 'utf8').split('\n'), ms };
}

function momentsOf(
  { seed, steps: named }: Pick<Victim<CommandLine>, 'seed' | 'steps'>,
  count: number,
  { steps, ms }: Undisturbed,
): Moment[] {
  const drawn = Math.max(0, count - named.length);
  const random = Array.from({ length: drawn }, (_, index): Moment => {
    const part = (index + fraction(`${seed} ${index}`)) / drawn;
    const seeded = `(seed ${seed}, moment ${index} of ${drawn})`;
    if (index % 2 === 0) {
      const killAfter = part * ms;
      return { killAfter, words: `after ${killAfter} of ${ms} ms ${seeded}` };
    }
    const step = Math.floor(part * steps.length);
    const words = `at step ${step + 1} of ${steps.length}, ${steps[step]} ${seeded}`;
    return { steps: { DIE_AT_STEP: `${step + 1}` }, words };
  });
  return [
    ...named.map((step) => ({ steps: { DIE_AT_STEP: step }, words: `at ${step}` })),
    ...random,
  ];
}

/** A number from 0 to less than 1 that is the same for the same text. */
function fraction(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}
