/** The output of commands in Chinese. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastStringWidth from 'fast-string-width';
import { readXlsx } from 'hucre/xlsx';
import { expect, it } from 'vitest';
import { MOP } from '../../src/cli/commands.ts';
import { readTree } from '../../src/cli/frame/command-tree.ts';
import { buildProgram } from '../../src/cli/frame/program.ts';
import { hasProse } from '../../src/locale/english.ts';
import { mop, temporaryDirectory } from '../support/cli.ts';
import { scriptedPlatform } from '../support/platform.ts';
import { envelope, serve } from '../support/server.ts';

const env = { LANG: 'zh_CN.UTF-8' };
const commands = readTree(buildProgram(MOP)).commands.map(({ path }) => path.split(' ').slice(1));

it.each(commands)('explains %s %s in Chinese, in 80 columns', async (...words) => {
  const { stdout } = await mop([...words.filter(Boolean), '--help'], { env });
  const [help = ''] = stdout.split('示例：');
  for (const line of help.split('\n')) {
    expect(fastStringWidth(line), line).toBeLessThanOrEqual(80);
    // Usage, names and quoted commands are the same in each language.
    const text = line
      .replace(/^ +[-\w, <>=@/.[\]]+? {2,}/, '')
      .replaceAll(/mop [a-z ]+|\S*[@=.-]\S*/g, '');
    if (!line.startsWith('故障：')) expect(hasProse(text), line).toBe(false);
  }
  expect(help).toMatch(/\p{Script=Han}/u);
});

async function file(name: string, content: string): Promise<string> {
  const path = join(await temporaryDirectory(), name);
  await writeFile(path, content);
  return path;
}

it('keeps the names and values of a file that are words of mop', async () => {
  const path = await file('TOTAL.csv', 'total,kind,rows\n1.50,missing,2\n2.00,not found,3\n');
  const { stdout } = await mop(['bill', 'summary', path, '--by', 'kind'], { env });
  expect(stdout).toContain('TOTAL.csv：2 行');
  expect(stdout).toMatch(/^列 +合计 +最小值 +最大值$/m);
  expect(stdout).toMatch(/^total +3\.50/m);
  expect(stdout).toMatch(/^kind +行数 +total +rows$/m);
  expect(stdout).toMatch(/^not found /m);
});

it('keeps texts of the command line', async () => {
  const path = await file('rows total.csv', 'rows,paid amount\n1,x\n');
  const summary = ['bill', 'summary', path, '--where', 'rows=the file is empty'];
  expect((await mop(summary, { env })).stderr).toContain('：rows=the file is empty\n');
  const compare = ['bill', 'compare', path, '--with', path, '--key', 'rows'];
  expect((await mop(compare, { env })).stdout).toContain(`${path}：匹配 1 行；未比较金额`);
  const sum = await mop(['bill', 'summary', path, '--sum', 'paid amount'], { env });
  expect(sum.stderr).toContain('第 2 行的 paid amount 列："x" 不是金额');
  const explained = await mop(['sign', 'explain', '{"total":1}', '--env', 'sandbox'], { env });
  expect(explained.stdout).toMatch(/参与 +total +业务字段 +1/);
});

it.each([
  ['order is missing', ': order is missing'],
  ['order is missing.', ': order is missing.'],
  ['the file does not exist: 3 more', ': the file does not exist: 3 more'],
  ['Cannot query field "a" on type "Query".', '：类型 "Query" 没有字段 "a"'],
])(
  'keeps the message of a GraphQL server, unless it is one of graphql-js: %s',
  async (message, shown) => {
    const { url } = await serve((_, response) =>
      response.end(JSON.stringify({ errors: [{ message, path: ['a'] }] })),
    );
    const { stderr } = await mop(['gql', '{ a }', '--endpoint', `${url}/graphql`], { env });
    expect(stderr).toContain(`mop: 响应报告了错误：a${shown}\n`);
  },
);

it('aligns columns by their width on a terminal', async () => {
  const { stdout } = await mop(['doctor', '--env', 'sandbox'], { env });
  const states = stdout.split('\n').map((line) => line.search(/正常|跳过/));
  expect(new Set(states.filter((at) => at >= 0)).size).toBe(1);
});

it('aligns the fields of a signature', async () => {
  const { stdout } = await mop(['sign', 'explain', '{"a":1,"空":null}', '--env', 'sandbox'], {
    env,
  });
  expect(stdout).toMatch(/^ {3}参与 {3}timestamp {2}公共字段 {2}\d/m);
  expect(stdout).toContain('   参与   a          业务字段  1\n');
  expect(stdout).toContain('   不参与 空         值为 null，不参与签名\n');
});

it('puts the number after the state, and separates lists in Chinese', async () => {
  const directory = await temporaryDirectory();
  const { stdout } = await mop(['bill', 'status', directory, '--env', 'sandbox'], { env });
  expect(stdout).toMatch(/^X 缺失 9\d/m);
  const help = await mop(['bill', 'status', '--help'], { env });
  expect(help.stdout).toContain('退出码：0 ok、1 failure、');
});

it('has a word for each sense of a heading', async () => {
  const [topic, errors] = await Promise.all([
    mop(['help', 'exit-codes'], { env }),
    mop(['errors'], { env }),
  ]);
  expect(topic.stdout).toMatch(/^退出码 +名称 +重试 +含义$/m);
  expect(errors.stdout).toMatch(/^结果码 +含义 +处理方式$/m);
});

it('prints the same text with and without colour', async () => {
  const argv = ['sign', 'verify', '{"a":1,"api_key":"sandbox","sign":"0"}', '--env', 'sandbox'];
  const [plain, coloured] = await Promise.all([
    mop(argv, { env }),
    mop(argv, { env: { ...env, FORCE_COLOR: '1' } }),
  ]);
  expect(plain.stdout).toMatch(/^错误：/);
  expect(coloured.stdout).not.toBe(plain.stdout);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: styles are control sequences.
  expect(coloured.stdout.replaceAll(/\u001b\[\d+m/g, '')).toBe(plain.stdout);
});

it('redacts a secret that a translation would change', async () => {
  const secret = 'permission denied; try again';
  const platform = await scriptedPlatform({
    call: (response) => envelope(response, 2001, {}, `wrong: ${secret}`),
  });
  const { stderr } = await mop(['call', '/x', '{}'], {
    env: { ...platform.env, ...env, MOP_API_SECRET: secret },
  });
  expect(stderr).toContain('<redacted>');
  expect(stderr).not.toMatch(/permission denied|权限|重试/);
});

it('prints the message of a server unchanged', async () => {
  const platform = await scriptedPlatform({
    call: (response) => envelope(response, 2001, {}, 'permission denied: a of b is missing'),
  });
  const { stderr } = await mop(['call', '/x', '{}'], { env: { ...platform.env, ...env } });
  expect(stderr).toContain('平台返回 2001：permission denied: a of b is missing');
});

it('describes completions in Chinese', async () => {
  const { stdout } = await mop(['__complete', 'bill', ''], { env });
  expect(stdout).toMatch(/^fetch\t下载/m);
});

it('labels a workbook in Chinese, but not CSV files', async () => {
  const directory = await temporaryDirectory();
  const bill = await file('bill.csv', 'id,amount\n1,1.00\n2,2.00\n');
  const records = await file('records.csv', 'id,amount\n1,1.50\n');
  const compare = ['bill', 'compare', bill, '--with', records, '--key', 'id', '--amount', 'amount'];
  const out = join(directory, 'x.xlsx');
  const { code } = await mop([...compare, '--out', out], { env });
  expect(code).toBe(15);
  const { sheets } = await readXlsx(await readFile(out));
  expect(sheets.map(({ name }) => name)).toEqual(['汇总', '金额不一致', '仅账单', '仅记录']);
  expect(sheets[0]?.rows[0]).toEqual(['', '账单', '记录', '差额']);
  await mop([...compare, '--out', join(directory, 'csv')], { env });
  expect((await readdir(join(directory, 'csv'))).sort()).toEqual([
    'different.csv',
    'only-in-bill.csv',
    'only-in-records.csv',
  ]);
});
