/** Writes the version of package.json to the files that repeat it, after `changeset version`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(read('package.json'));

const lock = JSON.parse(read('package-lock.json'));
lock.version = version;
lock.packages[''].version = version;
write('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);

const IMAGE = /(?<=\/mop:)\d+\.\d+\.\d+/g;
const PRINTED = /(?<=\$ mop --version\n)\S+/g;
const PLACES = {
  'src/version.ts': /(?<=VERSION = ')[^']+/g,
  'src/cli/commands/help/examples/cronjob.yaml': IMAGE,
  'src/cli/commands/help/examples/indexed-job.yaml': IMAGE,
  'docs/getting-started.md': PRINTED,
  'docs/zh/getting-started.md': PRINTED,
};
for (const [name, pattern] of Object.entries(PLACES)) {
  const text = read(name);
  if (text.search(pattern) < 0) throw new Error(`${name} contains no version`);
  write(name, text.replace(pattern, version));
}

function read(name) {
  return readFileSync(`${root}/${name}`, 'utf8');
}

function write(name, text) {
  writeFileSync(`${root}/${name}`, text);
}
