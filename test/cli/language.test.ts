/** The choice of the language (contract section 1). */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mop, temporaryDirectory } from '../support/cli.ts';

const ENGLISH = 'mop: nothing to sign\n';
const CHINESE = 'mop: 没有要签名的内容\n';

type Env = Record<string, string>;

it.each<[options: string[], env: Env, setting: string | undefined, message: string]>([
  [[], {}, undefined, ENGLISH],
  [[], { LANG: 'zh_CN.UTF-8' }, undefined, CHINESE],
  [[], { LANG: 'zh' }, undefined, CHINESE],
  [[], { LANG: 'zh_CN' }, undefined, CHINESE],
  [[], { LANG: 'zh-Hans' }, undefined, CHINESE],
  [[], { LANG: 'zh_TW.utf8' }, undefined, CHINESE],
  [[], { LANG: 'zh_HK.UTF-8@modifier' }, undefined, CHINESE],
  [[], { LANG: 'zh_CN.GB18030' }, undefined, ENGLISH],
  [[], { LANG: 'zh_TW.Big5' }, undefined, ENGLISH],
  [[], { LANG: 'fr_FR.UTF-8' }, undefined, ENGLISH],
  [[], { LANG: 'en_US.UTF-8', LC_MESSAGES: 'zh_CN.UTF-8' }, undefined, CHINESE],
  [[], { LANG: 'zh_CN.UTF-8', LC_MESSAGES: 'en_US.UTF-8' }, undefined, ENGLISH],
  [[], { LANG: 'zh_CN.UTF-8', LC_ALL: 'C' }, undefined, ENGLISH],
  [[], { LC_ALL: '', LC_MESSAGES: 'zh_CN.UTF-8', LANG: 'C' }, undefined, CHINESE],
  [[], { LANG: 'zh_CN.UTF-8' }, 'en', ENGLISH],
  [[], { LANG: 'C' }, 'zh', CHINESE],
  [[], { LANG: 'zh_CN.GB18030' }, 'zh', CHINESE],
  [[], { MOP_LANG: 'en' }, 'zh', ENGLISH],
  [[], { MOP_LANG: 'zh' }, 'en', CHINESE],
  [[], { MOP_LANG: 'zh-CN' }, undefined, CHINESE],
  [[], { MOP_LANG: '' }, 'zh', CHINESE],
  [[], { MOP_LANG: 'fr' }, 'zh', CHINESE],
  [[], { LANG: 'zh_CN.UTF-8' }, 'fr', CHINESE],
  [['--lang', 'en'], { MOP_LANG: 'zh' }, 'zh', ENGLISH],
  [['--lang=zh'], { MOP_LANG: 'en' }, 'en', CHINESE],
  [['--lang', 'ZH_tw.UTF-8'], {}, undefined, CHINESE],
])('%j with %j and the setting %s', async (options, env, lang, message) => {
  const directory = await temporaryDirectory();
  const profiles = { default: lang === undefined ? {} : { lang } };
  await writeFile(join(directory, 'config.json'), JSON.stringify({ profiles }), { mode: 0o600 });
  const { code, stderr } = await mop(['sign', ...options], {
    env: { MOP_CONFIG_DIR: directory, ...env },
  });
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

it('speaks the language of the selected profile', async () => {
  const directory = await temporaryDirectory();
  await mkdir(directory, { recursive: true });
  const profiles = { default: { lang: 'en' }, shop: { lang: 'zh' } };
  await writeFile(join(directory, 'config.json'), JSON.stringify({ profiles }), { mode: 0o600 });
  const { stderr } = await mop(['sign', '-p', 'shop'], { env: { MOP_CONFIG_DIR: directory } });
  expect(stderr).toContain(CHINESE);
});

it.each([
  [['sign', '--lang', 'fr'], '--lang must be en or zh, not "fr"'],
  [['sign', '--lang'], '--lang needs a value'],
  [['config', 'set', 'lang', 'fr'], 'lang cannot be "fr"'],
])('refuses %j', async (argv, message) => {
  const { code, stderr } = await mop(argv);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

it('ignores an invalid variable, which doctor reports', async () => {
  const env = { MOP_LANG: 'fr' };
  expect((await mop(['sign'], { env })).stderr).toContain(ENGLISH);
  const { stdout } = await mop(['doctor', '--env', 'sandbox'], { env });
  expect(stdout).toContain('MOP_LANG is "fr"');
});

it('reads the language of a command line that is wrong', async () => {
  const { stderr } = await mop(['sgin', '--lang', 'zh']);
  expect(stderr).toBe("mop: 没有命令 'sgin'\n提示：是否指 mop sign？\n");
});

describe('with --json', () => {
  it.each([
    ['sign'],
    ['sgin'],
    ['bill', 'fetch', '2026-13-01'],
    ['sign', 'verify', '{"sign":"0"}', '--env', 'sandbox'],
  ])('prints English messages: %j', async (...argv) => {
    const [chinese, english] = await Promise.all(
      ['zh_CN.UTF-8', 'C'].map((LANG) => mop([...argv, '--json'], { env: { LANG } })),
    );
    expect(chinese).toEqual(english);
  });
});
