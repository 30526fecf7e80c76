/** Obstacles at the path of a file, and names that lead out of the directory. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { LEDGER_NAME } from '../../src/platform/bills/ledger.ts';
import { configuration, expectFailure, type TestConfig } from '../cli/support.ts';
import { detectionObject } from '../detection/support.ts';
import { placeBill } from '../platform/bills/support.ts';
import { type CliResult, mop, temporaryDirectory } from '../support/cli.ts';
import { CONTENT, scriptedPlatform } from '../support/platform.ts';
import { serve, type TestServer } from '../support/server.ts';

const DAY = '2026-11-19';
const FILE = `bill_${DAY}_all.csv`;
const OTHER = Buffer.from('other content\n');

let platform: Awaited<ReturnType<typeof scriptedPlatform>>;
let directory: string;
let out: string;
/** A directory outside the output directory. */
let elsewhere: string;

beforeEach(async () => {
  platform = await scriptedPlatform();
  directory = await temporaryDirectory();
  out = join(directory, 'out');
  elsewhere = join(directory, 'elsewhere');
  mkdirSync(out);
  mkdirSync(elsewhere);
});

const fetch = (args: readonly string[] = [], where = `${out}/`): Promise<CliResult> =>
  mop(['bill', 'fetch', DAY, '-o', where, ...args], { env: platform.env });

/** The entries below a directory: names, modes, contents of files and targets of links. */
function everything(root: string): Record<string, unknown> {
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => {
    const path = join(root, name);
    const stats = lstatSync(path);
    const mode = stats.mode.toString(8);
    if (stats.isFile()) return [name, [mode, stats.ino, readFileSync(path, 'latin1')]];
    return [name, [mode, stats.isSymbolicLink() && readlinkSync(path)]];
  });
  return Object.fromEntries(found);
}

/** Asserts that a command fails with exit code 13 and changes no file. */
async function expectUntouched(command: () => Promise<CliResult>, message: string): Promise<void> {
  const before = everything(directory);
  const { code, stderr } = await command();
  const [hint, subject] = stderr.trim().split('\n').reverse();
  expect([code, subject, hint]).toEqual([
    13,
    expect.stringMatching(`^mop: .*${message}`),
    expect.stringMatching(/^hint: ./),
  ]);
  expect(everything(directory)).toEqual(before);
}

type Obstacle = readonly [name: string, make: (path: string) => void];

const LINKS_TO_FILES: readonly Obstacle[] = [
  ['a link to the same content', (path) => symlinkSync(outside(CONTENT), path)],
  ['a link to other content', (path) => symlinkSync(outside(OTHER), path)],
  ['a link to an empty file', (path) => symlinkSync(outside(Buffer.alloc(0)), path)],
  ['a dangling link', (path) => symlinkSync(join(elsewhere, 'missing'), path)],
  ['a relative dangling link', (path) => symlinkSync('../elsewhere/missing', path)],
];

const OTHER_LINKS: readonly Obstacle[] = [
  ['a link to a directory', (path) => symlinkSync(elsewhere, path)],
  ['a link to itself', (path) => symlinkSync(path, path)],
];

/** Creates a file outside the output directory, with a mode that a wrong write would change. */
function outside(content: Uint8Array): string {
  const path = placeBill(elsewhere, 'file', content);
  chmodSync(path, 0o644);
  return path;
}

const SPECIAL_FILES: readonly Obstacle[] = [
  ['a FIFO', (path) => execFileSync('mkfifo', [path])],
  // Not /dev/null itself: a failing test could replace it as root.
  ...(canMakeDevices() ? [['a device', makeDevice] as const] : []),
];

const DIRECTORY: Obstacle = ['a directory', (path) => mkdirSync(path)];

function makeDevice(path: string): void {
  execFileSync('mknod', [path, 'c', '1', '3'], { stdio: 'ignore' });
}

/** Only root can, and not in every container. */
function canMakeDevices(): boolean {
  const parent = mkdtempSync(join(tmpdir(), 'mop-test-'));
  try {
    makeDevice(join(parent, 'null'));
    return true;
  } catch {
    return false;
  } finally {
    rmSync(parent, { recursive: true });
  }
}

describe.each([...LINKS_TO_FILES, ...OTHER_LINKS, ...SPECIAL_FILES, DIRECTORY])(
  '%s at the path of a bill',
  (_, make) => {
    it.each([[[]], [['--overwrite']], [['--keep-gzip']], [['--overwrite', '--tar', 'stream']]])(
      'is unchanged with %j',
      async (args) => {
        make(join(out, args[0] === '--keep-gzip' ? `${FILE}.gz` : FILE));
        await expectUntouched(() => fetch(args), 'exists and is not a regular file');
      },
    );

    it('is unchanged when the platform sends no digest', async () => {
      platform = await scriptedPlatform({ descriptor: { hash_value: undefined } });
      make(join(out, FILE));
      await expectUntouched(() => fetch(['--overwrite']), 'exists and is not a regular file');
    });
  },
);

describe('an obstacle at the path of the ledger is unchanged', () => {
  const leaves = async (make: (path: string) => void): Promise<void> => {
    make(join(out, LEDGER_NAME));
    const [before, outside] = [everything(out), everything(elsewhere)];
    const { code, stderr } = await fetch();
    expect([code, stderr]).toEqual([13, expect.stringContaining(LEDGER_NAME)]);
    expect(everything(elsewhere)).toEqual(outside);
    expect(everything(out)).toMatchObject(before);
  };

  it.each([...LINKS_TO_FILES, ...OTHER_LINKS, ...SPECIAL_FILES, DIRECTORY])('%s', (_, make) =>
    leaves(make),
  );
});

it('a name may have at most 255 bytes', async () => {
  const longest = `${'x'.repeat(251)}.csv`;
  expect((await fetch(['--name', longest])).code).toBe(0);
  expect(readdirSync(out).sort()).toEqual([LEDGER_NAME, longest]);
  for (const name of [`x${longest}`, 'ü'.repeat(150)]) {
    await expectUntouched(() => fetch(['--name', name]), 'the name is too long');
  }
});

describe('a directory', () => {
  it('may be a link, with or without a slash', async () => {
    const link = join(directory, 'link');
    symlinkSync(elsewhere, link);
    for (const where of [`${link}/`, link]) {
      expect((await fetch([], where)).code).toBe(0);
      expect(readdirSync(elsewhere).sort()).toEqual([FILE, LEDGER_NAME]);
    }
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  it('that is a dangling link is not created', async () => {
    const link = join(directory, 'link');
    symlinkSync(join(elsewhere, 'missing'), link);
    await expectUntouched(() => fetch([], `${link}/`), 'although its parent directory exists');
  });
});

describe('a name that leads out of the directory', () => {
  /** Asserts that a command is rejected before it sends a request or changes a file. */
  async function expectRefused(args: readonly string[], config: TestConfig): Promise<void> {
    const before = everything(directory);
    const env = { ...platform.env, ...config.env };
    const result = await mop(['bill', 'fetch', DAY, '-o', `${out}/`, ...args], { env });
    expectFailure(result, 2, 'is not a valid file name', '-o chooses the directory');
    expect(platform.requests).toEqual([]);
    expect(everything(directory)).toEqual(before);
  }

  const NAMES = [
    '../x{date}',
    '/tmp/x{date}',
    'a/b{date}',
    '{date}/../../x',
    '..\\x{date}',
    'x\0{date}',
    '/',
    '..',
    '.',
  ];

  it.each([...NAMES, ''])('is rejected: --name %j', async (name) => {
    await expectRefused(['--name', name], await configuration());
  });

  it.each(NAMES)('is rejected: %j as bill_name', async (name) => {
    const profiles = { default: { bill_name: name } };
    await expectRefused([], await configuration({ profiles }));
  });

  const OUTSIDE_PATHS = ['../x', '/tmp/x', 'a/../../x', '..'];

  it.each([...OUTSIDE_PATHS, 'a\\b'])(
    'is rejected: --name {profile} with a profile %j',
    async (profile) => {
      const config = await configuration({ profiles: { [profile]: {} } });
      await expectRefused(['-p', profile, '--name', '{profile}'], config);
    },
  );

  it.each(['../x', 'a/../../x', '..'])(
    'is rejected: --all-profiles with a profile %j',
    async (name) => {
      const config = await configuration({ profiles: { [name]: {} } });
      const before = everything(directory);
      const env = { ...platform.env, ...config.env };
      const args = ['bill', 'fetch', DAY, '-o', `${out}/`, '--all-profiles'];
      expect((await mop(args, { env })).code).not.toBe(0);
      expect(everything(directory)).toEqual(before);
    },
  );
});

describe('a report', () => {
  let service: TestServer;
  beforeEach(async () => {
    service = await serve((_, response) => response.end(JSON.stringify(detectionObject())));
  });
  const detect = (...args: readonly string[]) =>
    mop(['detect', 'a', ...args], { env: { MOP_DETECT_URL: service.url } });

  it.each([...SPECIAL_FILES, DIRECTORY])(
    'does not replace %s and sends no request',
    async (_, make) => {
      for (const option of ['--junit', '--sarif']) {
        const path = join(out, option);
        make(path);
        await expectUntouched(() => detect(option, path), 'not a regular file');
      }
      expect(service.requests).toEqual([]);
    },
  );

  it('is rejected if its name is too long', async () => {
    const path = join(out, 'x'.repeat(300));
    await expectUntouched(() => detect('--junit', path), 'the name is too long');
    expect(service.requests).toEqual([]);
  });
});
