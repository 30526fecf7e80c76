import { readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConfigFile, type Profile, readConfig } from '../../../src/cli/context/config-file.ts';
import { updateConfig } from '../../../src/cli/context/update-config.ts';
import { MopError } from '../../../src/errors.ts';
import { configuration } from '../../cli/support.ts';
import { mop } from '../../support/cli.ts';
import { fuzz, times } from '../scale.ts';
import { awkwardText, mutatedBytes, rewrite } from './support.ts';

const CANARY = 'canary-of-the-secret-0123456789';
const VALID = [
  JSON.stringify({ profiles: { default: { api_key: 'k', api_secret: CANARY } } }, null, '\t'),
  JSON.stringify({
    current: 'shop',
    profiles: { shop: { api_secret: CANARY }, 'a.b': {}, __proto__: {} },
  }),
  `{"profiles":{"__proto__":{"api_secret":"${CANARY}"},"constructor":{"__proto__":"x"}},"current":"城"}`,
  `{"profiles":{"a":{"api_secret":"${CANARY}","api_secret":"${CANARY}"},"a":{}},"version":1}`,
  `[{"api_secret":"${CANARY}"}]`,
  `{"profiles":["${CANARY}"]}`,
  `{"profiles":{"default":"${CANARY}"}}`,
  `{"profiles":{"default":{"api_secret":["${CANARY}"]}}}`,
  `{"current":["${CANARY}"]}`,
  `"${CANARY}"`,
];
const PIECES = [
  ...[
    '"',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '\\',
    '\\u',
    '\\ud83d',
    '\0',
    '\n',
    '\ufeff',
    '// a',
    'null',
    '1',
    '[]',
    '{}',
  ],
  ...['"api_key":1,', '"profiles":', '"current":', '"a":{"b":null},', '"__proto__":{},', 'é', "'"],
];

const name = fc.oneof(
  awkwardText,
  fc.constantFrom(
    'default',
    'hasOwnProperty',
    'a\\.b',
    '[0]',
    '__internal__',
    'profiles',
    'current',
    'x'.repeat(5000),
  ),
);
const profile: fc.Arbitrary<Profile> = entries(
  fc.oneof(fc.constantFrom('api_key', 'api_secret'), name),
  name,
);
const profiles: fc.Arbitrary<Readonly<Record<string, Profile>>> = entries(name, profile);

/** An object with own properties of any name, as in JSON. */
function entries<T>(
  name: fc.Arbitrary<string>,
  value: fc.Arbitrary<T>,
): fc.Arbitrary<Record<string, T>> {
  return fc.array(fc.tuple(name, value), { maxLength: 4 }).map((list) => Object.fromEntries(list));
}

const ignoreWarning = (): void => {};

describe('reading the configuration', () => {
  const bytes = fc.oneof(
    { weight: 8, arbitrary: mutatedBytes(fc.constantFrom(...VALID), PIECES) },
    fc.uint8Array({ maxLength: 60 }),
  );

  it('returns profiles or reports damage, without a change of the file or a quote from it', async () => {
    const { path } = await configuration('');
    const outcomes = { read: 0, damaged: 0 };
    const property = fc.property(bytes, (bytes) => {
      rewrite(path, bytes);
      try {
        expectConfig(readConfig(path, ignoreWarning));
        outcomes.read++;
      } catch (error) {
        if (!(error instanceof MopError)) throw error;
        expect(error.code).toBe('config');
        expect(error.message).toContain(`the configuration file ${path} is damaged: `);
        expect(`${error.message} ${error.details.hint} ${error.cause}`).not.toContain(CANARY);
        outcomes.damaged++;
      }
      expect(readFileSync(path).equals(bytes)).toBe(true);
    });
    fc.assert(property, fuzz(20_261_241));
    // Both outcomes must be common; otherwise the test proves little.
    const { read, damaged } = outcomes;
    expect(Math.min(read, damaged)).toBeGreaterThan((read + damaged) / 20);
  });

  it('keeps a damaged file when a command would change it', async () => {
    const { path, env, directory } = await configuration('');
    const commands = [
      ['config', 'set', 'api_key', 'k'],
      ['config', 'unset', 'api_key'],
      ['config', 'use', 'default'],
      ['config', 'delete-profile', 'shop'],
      ['config', 'rename-profile', 'shop', 'renamed'],
      ['config', 'list', '--json'],
      ['config', 'profiles'],
    ];
    const property = fc.asyncProperty(bytes, fc.constantFrom(...commands), async (bytes, argv) => {
      rewrite(path, bytes);
      const isDamaged = fails(() => readConfig(path, ignoreWarning));
      const { code, stdout, stderr } = await mop(argv, { env, stdin: '' });
      if (isDamaged) {
        expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
        expect(readFileSync(path).equals(bytes)).toBe(true);
      } else expect(code).not.toBe(1);
      expect(stdout + stderr).not.toContain(CANARY);
      expect(stderr).not.toMatch(/^ +at /m);
      expect(await readdir(directory)).toEqual(['config.json']);
    });
    await fc.assert(property, { seed: 20_261_242, numRuns: times(100, 3000) });
  });
});

describe('writing the configuration', () => {
  it('keeps names, keys and values of any text, and the other profiles', async () => {
    const { path, directory } = await configuration('{}');
    const current = fc.constantFrom(undefined, 'default', '__proto__', '城');
    const property = fc.asyncProperty(
      profiles,
      current,
      name,
      profile,
      async (all, current, name, one) => {
        await updateConfig(path, ignoreWarning, () => ({ current, profiles: all }));
        const written = readConfig(path, ignoreWarning);
        expectConfig(written);
        // JSON text also shows __proto__ and the order.
        expect(JSON.stringify(written)).toBe(JSON.stringify({ current, profiles: all }));

        const others = Object.entries(all).filter(([other]) => other !== name);
        await updateConfig(path, ignoreWarning, (config) => ({
          ...config,
          profiles: Object.fromEntries([...Object.entries(config.profiles), [name, one]]),
        }));
        const now = Object.entries(readConfig(path, ignoreWarning).profiles);
        expect(now.filter(([other]) => other !== name)).toEqual(others);
        expect(JSON.stringify(now.find(([other]) => other === name))).toBe(
          JSON.stringify([name, one]),
        );
        expect(await readdir(directory)).toEqual(['config.json']);
        expect(statSync(path).mode & 0o777).toBe(0o600);
      },
    );
    await fc.assert(property, { seed: 20_261_243, numRuns: times(50, 1500) });
  });

  it('keeps the file when the change fails', async () => {
    const { path, directory } = await configuration('');
    const property = fc.asyncProperty(fc.constantFrom(...VALID), async (text) => {
      rewrite(path, text);
      const failing = updateConfig(path, ignoreWarning, () => {
        throw new MopError('usage', 'no');
      });
      const isDamaged = fails(() => readConfig(path, ignoreWarning));
      await expect(failing).rejects.toMatchObject({ code: isDamaged ? 'config' : 'usage' });
      expect(readFileSync(path, 'utf8')).toBe(text);
      expect(await readdir(directory)).toEqual(['config.json']);
    });
    await fc.assert(property, { seed: 20_261_244, numRuns: times(50, 500) });
  });

  it('does not change invalid UTF-8 of another profile', async () => {
    const { path } = await configuration('');
    const bytes = Buffer.from('{"profiles":{"a":{"api_secret":"\xc3\xdc\xc2\xeb"}}}', 'latin1');
    rewrite(path, bytes);
    await updateConfig(path, ignoreWarning, ({ current, profiles }) => ({
      current,
      profiles: { ...profiles, b: {} },
    })).catch((error: unknown) => expect(error).toMatchObject({ code: 'config' }));
    expect(readFileSync(path).includes(Buffer.from('\xc3\xdc\xc2\xeb', 'latin1'))).toBe(true);
  });
});

/** Checks that every value is a string. */
function expectConfig({ current, profiles }: ConfigFile): void {
  expect(current === undefined || typeof current === 'string').toBe(true);
  for (const profile of Object.values(profiles)) {
    expect(Object.values(profile).every((value) => typeof value === 'string')).toBe(true);
  }
}

function fails(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}
