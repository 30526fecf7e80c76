import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import relayCompiler from 'relay-compiler';
import { print } from './print.js';

const [schema, document] = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), 'mop-relay-'));
try {
  mkdirSync(join(directory, 'src'));
  const config = { src: './src', schema: './schema.graphql', language: 'javascript' };
  writeFileSync(join(directory, 'relay.config.json'), JSON.stringify(config));
  writeFileSync(join(directory, 'schema.graphql'), schema);
  writeFileSync(join(directory, 'src/App.js'), `graphql\`${document}\`;\n`);
  const { status, stderr } = spawnSync(relayCompiler, [], { cwd: directory, encoding: 'utf8' });
  const generated = join(directory, 'src/__generated__');
  print(status === 0 ? { files: readdirSync(generated).sort() } : { failed: stderr });
} finally {
  rmSync(directory, { recursive: true });
}
