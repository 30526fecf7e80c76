import { expect, it } from 'vitest';
import { RESULT_CODES } from '../../../src/protocol/result-codes.ts';
import { RESULT_CODES_ZH } from '../../../src/protocol/result-codes-zh.ts';
import { mop } from '../../support/cli.ts';
import { expectFailure } from '../support.ts';

it('lists every documented code', async () => {
  const { code, stdout, stderr } = await mop(['errors']);
  const [headings, ...rows] = stdout.trimEnd().split('\n');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(headings).toMatch(/^CODE +MEANING +ACTION$/);
  expect(rows.map((row) => Number(row.split(' ')[0]))).toEqual(
    RESULT_CODES.map(({ code }) => code),
  );
  for (const [index, { meaning, action }] of RESULT_CODES.entries()) {
    for (const text of [meaning, action]) expect(rows[index]).toContain(text);
  }
});

it('prints the same rows as JSON', async () => {
  const { stdout } = await mop(['errors', '--json']);
  expect(JSON.parse(stdout)).toEqual(RESULT_CODES);
  expect(Object.keys(JSON.parse(stdout)[0])).toEqual(['code', 'meaning', 'action', 'retry']);
});

it.each([
  ['1002', 'Authentication error', 'exit code  4', 'mop sign verify --last'],
  ['1055', 'Timestamp invalid', 'exit code  4', 'set the clock'],
  ['-1', 'Service error', 'exit code  6', 'try again later'],
  ['2302', 'No savings-card stock', 'exit code  5', 'Purchase by top-up'],
  ['2303', 'Already issued', 'exit code  0', 'No retry needed'],
])('explains %s', async (code, ...texts) => {
  const { stdout } = await mop(['errors', code]);
  for (const text of texts) expect(stdout).toContain(text);
  const { stdout: json } = await mop(['errors', code, '--json']);
  expect(JSON.parse(json)).toMatchObject([{ code: Number(code) }]);
});

it.each(['9999', '1', 'abc', '', '1e3', '0x3ea', '-2'])('rejects %j', async (code) => {
  expectFailure(await mop(['errors', code]), 2, 'there is no result code', 'mop errors lists');
});

it('prints every code in Chinese without English text', () => {
  expect(RESULT_CODES_ZH.map(({ code, retry }) => ({ code, retry }))).toEqual(
    RESULT_CODES.map(({ code, retry }) => ({ code, retry })),
  );
  for (const [index, { meaning, action }] of RESULT_CODES_ZH.entries()) {
    expect(meaning).toMatch(/\p{Script=Han}/u);
    expect(action).toMatch(/\p{Script=Han}|^-$/u);
    expect(meaning).not.toBe(RESULT_CODES[index]?.meaning);
  }
});

it('prints the Chinese rows as JSON', async () => {
  const { stdout } = await mop(['errors', '1002', '--lang', 'zh', '--json']);
  expect(JSON.parse(stdout)).toEqual(RESULT_CODES_ZH.filter(({ code }) => code === 1002));
});

it('explains a code in Chinese', async () => {
  const { stdout } = await mop(['errors', '1055', '--lang', 'zh']);
  for (const text of ['含义', '时间戳无效', '修正请求后重试', '退出码', '校准本机时钟']) {
    expect(stdout).toContain(text);
  }
});

it('rejects another language', async () => {
  expectFailure(
    await mop(['errors', '--lang', 'fr']),
    2,
    '--lang must be en or zh, not "fr"',
    'mop',
  );
});
