import { join } from 'node:path';
import { inject } from 'vitest';
import { signBody } from '../../../src/signing/body-mode.ts';
import { run } from '../../package/support.ts';

export const PROJECT = inject('userProject');
/** The directory with the library, and with the bundlers and runtimes. */
export const MODULES = join(PROJECT, 'node_modules');

/** The result of consumers/exercise.ts. */
export const EXPECTED = {
  valid: true,
  bill: ['downloaded', true, 5],
  refused: 'usage',
  errors: 0,
  page: [200, 200],
  account: 'linked',
  level: 'high',
};

/** The output of consumers/sign-from-*.js. */
export const SIGNATURE = signBody(
  '{"lat":30.10}',
  { apiKey: 'k', secret: 's' },
  { timestamp: 1795000000, nonce: 'abcdefghij', seqId: 'seq-1' },
).sign;

/** Runs a script of the project or of an installed tool. Returns its stdout. */
export async function node(script: string, ...args: string[]): Promise<string> {
  return (await run(process.execPath, [script, ...args], { cwd: PROJECT })).stdout;
}
