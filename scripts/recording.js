/**
 * Runs the commands of the recording in the README and draws what they print into
 * docs/recording.svg: `npm run recording`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { drawTerminal } from './terminal-svg.js';

const root = fileURLToPath(new URL('..', import.meta.url));

const REQUEST =
  '{"city":"330100","remark":"a b","stops":[{"lat":30.1}],"api_key":"sandbox","seq_id":"9b2f1c1e-6f0a-4d0b-9a55-0f5d7a1f3c21","timestamp":1795251041,"nonce":"abcdefghij","sign":"9A520C1220CEEEC50F4ED6B4C9D7D44B"}';

/** What is typed. `request.json` is a request whose signer made two mistakes. */
export const COMMANDS = [
  'mop bill fetch --last 2 --env sandbox',
  'mop bill fetch --last 2 --env sandbox      # again: compared, not downloaded',
  'mop sign verify @request.json --env sandbox --now 1795251050 | head -4',
  'mop detect "Good night! You only need me." --env sandbox',
  `mop gql '{ bills(last: 1) { date count total } }' --env sandbox --raw`,
];

/** Runs a command in colour. Returns what is left of it on a terminal: progress goes away. */
export function play(command, directory) {
  const { PATH } = process.env;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
    cwd: directory,
    encoding: 'utf8',
    env: {
      PATH: `${join(directory, '.bin')}${delimiter}${PATH}`,
      LANG: 'C.UTF-8',
      FORCE_COLOR: '1',
      MOP_CONFIG_DIR: join(directory, '.config'),
      NODE_DISABLE_COMPILE_CACHE: '1',
    },
  });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
  return stdout;
}

/** A directory with what the commands need. */
export function makeStage() {
  const directory = mkdtempSync(join(tmpdir(), 'mop-recording-'));
  mkdirSync(join(directory, '.bin'));
  const mop = `#!/bin/sh\nexec '${process.execPath}' '${root}/bin/mop.js' "$@"\n`;
  writeFileSync(join(directory, '.bin/mop'), mop, { mode: 0o755 });
  writeFileSync(join(directory, 'request.json'), REQUEST);
  return directory;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const directory = makeStage();
  try {
    const scenes = COMMANDS.map((command) => ({ command, output: play(command, directory) }));
    writeFileSync(`${root}/docs/recording.svg`, drawTerminal(scenes));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
