/** Writes man pages into man/: one for each command, and one for each topic of `mop help`. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commandPage, topicPage } from './man-page.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const mop = (...args) =>
  execFileSync(process.execPath, [`${root}/bin/mop.js`, ...args], { encoding: 'utf8' });

const version = mop('--version').trim();
const tree = JSON.parse(mop('help', '--json'));
const topics = tree.topics.map((topic) => JSON.parse(mop('help', topic, '--json')));
const [{ exit_codes: meanings }] = topics;

rmSync(`${root}/man`, { recursive: true, force: true });
mkdirSync(`${root}/man`);
for (const command of tree.commands) {
  const name = command.path.replaceAll(' ', '-');
  const globals = command.path === tree.name ? tree.globals : [];
  writeFileSync(
    `${root}/man/${name}.1`,
    commandPage({ ...command, globals }, { meanings, topics: tree.topics }, version),
  );
}
for (const topic of topics) {
  writeFileSync(`${root}/man/${tree.name}-${topic.topic}.7`, topicPage(topic, version));
}
