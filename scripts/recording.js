/**
 * Draws docs/recording.svg, the recording in the README: runs the commands and draws their output.
 * Run `npm run recording` by hand when the output of one of them changes.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drawTerminal } from './terminal-svg.js';

const root = fileURLToPath(new URL('..', import.meta.url));

const REQUEST =
  '{"city":"330100","remark":"a b","stops":[{"lat":30.1}],"api_key":"sandbox","seq_id":"9b2f1c1e-6f0a-4d0b-9a55-0f5d7a1f3c21","timestamp":1795251041,"nonce":"abcdefghij","sign":"9A520C1220CEEEC50F4ED6B4C9D7D44B"}';

/** The commands that are typed. The signer of `request.json` made two mistakes. */
const COMMANDS = [
  'mop bill fetch --last 2 --env sandbox',
  'mop bill fetch --last 2 --env sandbox      # again: compared, not downloaded',
  'mop sign verify @request.json --env sandbox --now 1795251050 | head -4',
  'mop detect "Good night! You only need me." --env sandbox',
  `mop gql '{ bills(last: 1) { date count total } }' --env sandbox --raw`,
];

const directory = mkdtempSync(join(tmpdir(), 'mop-recording-'));
try {
  mkdirSync(join(directory, '.bin'));
  const mop = `#!/bin/sh\nexec '${process.execPath}' '${root}/bin/mop.js' "$@"\n`;
  writeFileSync(join(directory, '.bin/mop'), mop, { mode: 0o755 });
  writeFileSync(join(directory, 'request.json'), REQUEST);
  const scenes = COMMANDS.map((command) => ({ command, output: outputOf(command) }));
  writeFileSync(`${root}/docs/recording.svg`, drawTerminal(scenes));
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** Runs a command in colour. Returns its standard output: progress does not stay on a terminal. */
function outputOf(command) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
    cwd: directory,
    encoding: 'utf8',
    env: {
      PATH: `${join(directory, '.bin')}${delimiter}${process.env.PATH}`,
      LANG: 'C.UTF-8',
      FORCE_COLOR: '1',
      MOP_CONFIG_DIR: join(directory, '.config'),
    },
  });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
  return stdout;
}
