/** Tests the collections of docs/clients/ in newman and with the parser of Bruno. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { killAfterTest, spawnMop } from '../../support/process.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const NEWMAN = join(HERE, '../node_modules/newman/bin/newman.js');
const COLLECTIONS = fileURLToPath(new URL('../../../docs/clients', import.meta.url));
const POSTMAN = join(COLLECTIONS, 'mop.postman_collection.json');

interface Collection {
  readonly item: readonly {
    readonly item: readonly {
      readonly name: string;
      readonly request: { readonly url: string; readonly body: { readonly raw: string } };
    }[];
  }[];
}

/** Runs a program, and returns its standard output. Fails when the program fails. */
async function run(path: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...args], {
    cwd: HERE,
    env: { PATH: process.env.PATH },
  });
  return stdout;
}

/** The address of a proxy in front of a sandbox. It is closed after the test. */
async function startProxy(): Promise<string> {
  const child = spawnMop(['proxy', '--env', 'sandbox', '--port', '0', '--json'], {});
  killAfterTest(child);
  const [line] = await once(createInterface(child.stdout), 'line');
  return JSON.parse(line).url;
}

it('newman runs every request of the Postman collection through the proxy', async () => {
  const proxy = await startProxy();
  const report = await run(
    NEWMAN,
    ...['run', POSTMAN, '--env-var', `proxy=${proxy}`, '--color', 'off'],
  );
  expect(report.match(/POST \S+ \[200 OK/g)).toHaveLength(8);
  expect(report.match(/✓ {2}code is 0/g)).toHaveLength(8);
});

it('newman reports a request that the proxy refuses', async () => {
  const proxy = `${await startProxy()}/elsewhere`;
  const newman = [NEWMAN, 'run', POSTMAN] as const;
  await expect(run(...newman, '--env-var', `proxy=${proxy}`)).rejects.toMatchObject({ code: 1 });
});

it('Bruno reads the same requests', async () => {
  const { item: folders }: Collection = JSON.parse(readFileSync(POSTMAN, 'utf8'));
  const expected = folders.flatMap(({ item: requests }) =>
    requests.map(({ name, request: { url, body } }) => ({
      meta: expect.objectContaining({ name, type: 'http' }),
      http: { method: 'post', url, body: 'json', auth: 'none' },
      body: { json: body.raw },
      tests: expect.stringContaining('equal(0)'),
    })),
  );
  const requests = JSON.parse(
    await run(join(HERE, 'programs/read-bruno.js'), join(COLLECTIONS, 'bruno')),
  );
  expect(requests).toHaveLength(expected.length);
  expect(requests).toEqual(
    expect.arrayContaining(expected.map((each) => expect.objectContaining(each))),
  );
});
