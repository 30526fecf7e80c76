/**
 * Draws docs/recording.svg, the recording in the README: runs each command in a terminal of tmux,
 * and draws the resulting screen. Run `npm run recording` manually when an output changes.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { COLUMNS, drawTerminal } from './terminal-svg.js';

const root = fileURLToPath(new URL('..', import.meta.url));

const REQUEST =
  '{"city":"330100","stops":[{"lat":30.1}],"api_key":"sandbox","seq_id":"9b2f1c1e-6f0a-4d0b-9a55-0f5d7a1f3c21","timestamp":1795251041,"nonce":"abcdefghij","sign":"5C09581C9E9A99821D64844DC477D600"}';

/** The signer of `request.json` made two mistakes. */
const COMMANDS = [
  'mop sign verify @request.json --env sandbox --now 1795251050',
  'mop bill fetch --last 2 --env sandbox',
  'mop sandbox records yesterday --differences 3 > orders.csv',
  'mop bill compare yesterday --with orders.csv --key order_id --amount paid_amount --env sandbox',
];

const directory = mkdtempSync(join(tmpdir(), 'mop-recording-'));
try {
  mkdirSync(join(directory, '.bin'));
  const mop = `#!/bin/sh\nexec '${process.execPath}' '${root}/bin/mop.js' "$@"\n`;
  writeFileSync(join(directory, '.bin/mop'), mop, { mode: 0o755 });
  writeFileSync(join(directory, 'request.json'), REQUEST);
  const scenes = [];
  for (const [index, command] of COMMANDS.entries()) {
    scenes.push({ command, output: await screenAfter(command, `mop-recording-${index}`) });
  }
  writeFileSync(`${root}/docs/recording.svg`, drawTerminal(scenes));
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/**
 * Runs a command in a terminal. Returns the screen, with colours.
 *
 * @param {string} command
 * @param {string} server A different name for each command, because an ending server refuses sessions.
 */
async function screenAfter(command, server) {
  const tmux = (...args) => runTmux(server, args);
  const [script, ended] = [join(directory, '.run'), join(directory, '.ended')];
  const settings = `export LANG=C.UTF-8 MOP_CONFIG_DIR=.config PATH="$PWD/.bin:$PATH"`;
  writeFileSync(script, `cd '${directory}'\n${settings}\n${command}\ntouch .ended\nsleep 60\n`);
  rmSync(ended, { force: true });
  tmux('new-session', '-d', '-x', `${COLUMNS}`, '-y', '60', `bash ${script}`);
  try {
    for (let polls = 0; !existsSync(ended); polls += 1) {
      if (polls > 200) throw new Error(`${command} does not end`);
      await delay(100);
    }
    // The terminal may still draw the last line.
    await delay(200);
    return tmux('capture-pane', '-e', '-p');
  } finally {
    tmux('kill-server');
  }
}

/** Runs tmux with a server separate from the user's. */
function runTmux(server, args) {
  const { status, stdout, stderr } = spawnSync('tmux', ['-L', server, ...args], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`);
  return stdout;
}
