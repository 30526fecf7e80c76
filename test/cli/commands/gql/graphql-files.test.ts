import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildSchema } from 'graphql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mop, temporaryDirectory } from '../../../support/cli.ts';
import { checkRows } from '../../../support/rows.ts';
import { expectFailure } from '../../support.ts';
import { executing, gql, SDL, service } from './support.ts';

/** A directory with these files, which is the current one during the test. */
async function within(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const directory = await temporaryDirectory();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), content);
  }
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  process.chdir(directory);
  return directory;
}

const FILES = {
  'schema/user.graphql': 'type User { id: ID! }',
  'schema/deep/query.gql': 'type Query { me: User }',
  'schema/more/all.graphqls': 'extend type Query { all: [User] }',
  'schema/readme.md': '# not a schema',
  'node_modules/x/other.graphql': 'type Query { none: Int }',
  'ops/good.graphql': '{ me { id } }',
  'ops/bad.graphql': '{ all { nme } }',
};

describe('files of a schema and of documents', () => {
  it('may be files, directories and patterns', async () => {
    await within(FILES);
    await checkRows(
      [
        ['--schema', 'schema'],
        ['--schema', '.'],
        ['--schema', 'schema/**/*.{graphql,graphqls,gql}'],
        ['--schema', 'schema/user.graphql', '--schema', 'schema/deep', '--schema', 'schema/more'],
      ],
      async (schema) => {
        expect(await gql('validate', 'ops/good.graphql', ...schema)).toMatchObject({ code: 0 });
        const { code, stdout } = await gql('validate', 'ops', ...schema);
        expect([code, stdout]).toEqual([14, expect.stringContaining('ops/bad.graphql:1:9: error')]);
        expect((await gql('validate', 'ops/g*.graphql', ...schema)).code).toBe(0);
        const data = await gql('run', '{ me { id } }', ...schema, '--data', 'missing.json');
        expectFailure(data, 2, 'missing.json');
      },
    );
  });

  it('without a match are exit code 2', async () => {
    await within(FILES);
    for (const args of [
      ['nothing/*.graphql', '--schema', 'schema'],
      ['ops', '--schema', 'nothing/**'],
      ['ops', '--schema', '/'],
    ]) {
      expectFailure(await gql('validate', ...args), 2, 'no GraphQL file');
    }
  });

  it('of a directory are those of its kind', async () => {
    await within({ 'all/schema.graphql': SDL, 'all/op.graphql': '{ old }' });
    expect((await gql('validate', 'all', '--schema', 'all')).code).toBe(0);
    // A file that is named is never skipped.
    const named = ['all/schema.graphql', 'all/op.graphql'];
    expect((await gql('validate', ...named, '--schema', 'all')).code).toBe(14);
    const { code, stderr } = await gql('validate', 'all', '--schema', 'all/op.graphql');
    expect([code, stderr]).toEqual([2, expect.stringContaining('neither operations nor')]);
  });

  it('may be links, and are read once', async () => {
    await within({ ...FILES, 'other/ext.graphql': 'extend type Query { linked: Int }' });
    await symlink('../other/ext.graphql', 'schema/ext.graphql');
    await symlink('ext.graphql', 'schema/twice.graphql');
    await writeFile('ops/linked.graphql', '{ linked }');
    for (const schema of ['schema', 'schema/**/*.g*']) {
      const args = ['ops/linked.graphql', './ops/linked.graphql', '--schema', schema];
      const twice = [...args, '--schema', './schema/user.graphql'];
      expect(await gql('validate', ...twice)).toMatchObject({ code: 0 });
    }
  });

  it('may not be links that lead nowhere', async () => {
    await within(FILES);
    await symlink('nothing.graphql', 'ops/lost.graphql');
    for (const files of ['ops', 'ops/l*.graphql']) {
      const result = await gql('validate', files, '!ops/bad.graphql', '--schema', 'schema');
      expectFailure(result, 2, 'ops/lost.graphql');
    }
  });

  it('without those that a pattern removes', async () => {
    await within({ ...FILES, 'schema/x.graphql': 'extend type Query { secret: Int }' });
    await writeFile('ops/secret.graphql', '{ secret }');
    const schema = ['--schema', 'schema', '--schema', '!schema/x.*'];
    expect((await gql('validate', 'ops/secret.graphql', ...schema)).code).toBe(14);
    const good = ['ops', '!ops/{bad,secret}.graphql'];
    expect((await gql('validate', ...good, ...schema)).code).toBe(0);
  });

  it('in code are not read, and are named', async () => {
    const plain = '// see graphql(js)\ngraphql({ schema, source })';
    const code = 'const q = gql`{ nope }`';
    await within({ ...FILES, 'ops/plain.ts': plain, 'app/a.tsx': code, 'app/b.vue': code });
    const schema = ['--schema', 'schema'];
    const forms = [
      'gql<A, B>`{ a }`',
      'graphql(`{ a }`)',
      '/* GraphQL */ `{ a }`',
      '`#graphql\n{ a }`',
    ];
    for (const form of forms) {
      await writeFile('ops/form.ts', form);
      expectFailure(await gql('validate', 'ops/form.*s', ...schema), 2, 'contains GraphQL in code');
    }
    expect((await gql('validate', 'ops/*[ds].{graphql,ts}', '!ops/bad.*', ...schema)).code).toBe(0);
    const result = await gql('validate', '{ops,app}/*.{graphql,tsx,vue}', ...schema);
    expectFailure(result, 2, 'app/a.tsx (and 1 more) contains GraphQL in code');
  });

  it('with names in parentheses match patterns', async () => {
    await within({ ...FILES, 'app/(group)/q.graphql': '{ nope }' });
    const args = ['app/(group)/*.graphql', '--schema', 'schema'];
    expect((await gql('validate', ...args)).code).toBe(14);
  });

  it('without any operation are exit code 2', async () => {
    await within({ ...FILES, 'empty/a.graphql': '# nothing yet' });
    for (const files of [['schema'], ['empty'], ['!ops/bad.graphql']]) {
      expectFailure(await gql('validate', ...files, '--schema', 'schema'), 2, 'no ');
    }
  });

  it('in UTF-16 are refused', async () => {
    await within({ 's.graphql': Buffer.from(`\ufeff${SDL}`, 'utf16le'), 'q.graphql': '{ old }' });
    const result = await gql('validate', 'q.graphql', '--schema', 's.graphql');
    expectFailure(result, 2, 's.graphql is not UTF-8', 'iconv');
  });

  it('and an endpoint are one schema', async () => {
    await within({ 'more.graphql': 'extend type Query { more: Int }' });
    const { endpoint } = await service(executing(buildSchema(SDL)));
    const document = '{ old more }';
    await writeFile('q.graphql', document);
    const args = ['--schema', endpoint, '--schema', 'more.graphql'];
    expect((await gql('validate', 'q.graphql', ...args)).code).toBe(0);
  });

  it('list every fault with --verbose', async () => {
    await within({ 's.graphql': 'type Query { a: A b: B c: C }' });
    const args = ['schema', 's.graphql'];
    const { stderr } = await gql(...args);
    expect(stderr).toContain('(and 2 more)');
    expect(stderr).not.toContain('"C"');
    const verbose = (await gql(...args, '--verbose')).stderr;
    expect(verbose).toContain('mop: s.graphql:1:22: Unknown type "B".');
    expect(verbose).toContain('mop: s.graphql:1:27: Unknown type "C".');
  });
});

describe('git:REF:PATH', () => {
  const git = (...args: string[]) => execFileSync('git', args, { stdio: 'pipe' });

  const COMMIT = ['-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'text'];

  async function repository(): Promise<string> {
    const directory = await within({ ...FILES, '模式/a b.graphql': SDL, 'docs/readme.md': '# no' });
    git('init', '-q');
    git('add', '.');
    git(...COMMIT);
    git('tag', 'v1');
    return directory;
  }

  it('is a file or a directory at a revision', async () => {
    await repository();
    await writeFile('schema/user.graphql', 'type User { name: String }');
    for (const before of ['git:v1:schema', 'git:HEAD:./schema', 'git:HEAD~0:schema']) {
      const { code, stdout } = await gql('diff', before, 'schema');
      expect([code, stdout]).toEqual([14, 'breaking   User.id was removed.\n']);
    }
    expect((await gql('diff', 'git:v1:模式/a b.graphql', '模式/a b.graphql')).code).toBe(0);
    process.chdir('schema/deep');
    expect((await gql('diff', 'git:v1:query.gql', 'query.gql', '--assume-valid-schema')).code).toBe(
      2,
    );
    expect((await gql('diff', 'git:v1:../../schema', 'git:v1:..')).code).toBe(0);
  });

  it('ignores the directories that are ignored on disk', async () => {
    await within({ ...FILES, 'schema/.old/x.graphql': 'type Old { a: Int }' });
    await mkdir('schema/node_modules');
    await writeFile('schema/node_modules/y.graphql', 'type Other { a: Int }');
    git('init', '-q');
    git('add', '-f', '.');
    git(...COMMIT);
    const { stderr } = await gql('diff', 'git:HEAD:schema', './schema');
    expect(stderr).toBe('no breaking or dangerous changes\n');
    const { code } = await gql(
      'diff',
      'git:HEAD:./schema/.old',
      'schema/.old',
      '--assume-valid-schema',
    );
    expect(code).toBe(0);
  });

  it('names the entries that git does not contain', async () => {
    const directory = await repository();
    await symlink('../ops', 'schema/linked');
    git('init', '-q', 'schema/module');
    git('-C', 'schema/module', ...COMMIT, '--allow-empty');
    git('add', '.');
    git(...COMMIT);
    const diff = () => gql('diff', 'git:HEAD:schema', 'schema');
    expectFailure(await diff(), 2, 'schema/linked is a symbolic link at git:HEAD:schema');
    await rm(join(directory, 'schema/linked'));
    git(...COMMIT, '-a');
    expectFailure(await diff(), 2, 'schema/module is a submodule at git:HEAD:schema');
  });

  it('of an unknown revision or path is exit code 2', async () => {
    await repository();
    await checkRows(
      [
        ['git:nope:schema', 'git: Not a valid object name nope'],
        ['git:v1:schema/readme.md', 'is empty'],
        ['git:v1:docs', 'there is no GraphQL file at git:v1:docs'],
        ['git:v1:nope', 'there is no GraphQL file at git:v1:nope'],
        ['git:--help:schema', 'is not git:REF:PATH'],
        ['git:v1', 'is not git:REF:PATH'],
        ['git:v1:schema/*.graphql', 'there is no GraphQL file', 'takes no patterns'],
      ],
      async ([source = '', message = '', hint = '']) => {
        expectFailure(await gql('diff', source, 'schema'), 2, message, hint);
      },
    );
    await within({});
    expectFailure(await gql('diff', 'git:v1:a', 'b'), 2, 'not a git repository');
  });
});

describe('.graphqlrc', () => {
  const PROJECT = { schema: 'schema', documents: ['ops/*.graphql', '!ops/bad.graphql'] };

  const variable = (name: string): string => `\${${name}}`;

  it('names the schema and the documents', async () => {
    const yaml = 'schema: schema\ndocuments:\n  - "ops/*.graphql"\n  - "!ops/bad.graphql"\n';
    const rows: [name: string, content: string][] = [
      ['.graphqlrc', yaml],
      ['.graphqlrc', JSON.stringify(PROJECT)],
      ['.graphqlrc.yml', yaml],
      ['graphql.config.json', JSON.stringify({ projects: { only: PROJECT } })],
      ['.graphqlrc.json', JSON.stringify({ ...PROJECT, schema: variable('KIND:schema') })],
    ];
    for (const [name, content] of rows) {
      await within({ ...FILES, [name]: content, 'deep/er/x.txt': '' });
      expect([name, await gql('validate')]).toEqual([
        name,
        expect.objectContaining({ code: 0, stderr: 'valid\n' }),
      ]);
      expect((await gql('validate', 'ops/bad.graphql')).code).toBe(14);
      process.chdir('deep/er');
      expect((await gql('validate')).code).toBe(0);
    }
  });

  it('names the schema of run, and an endpoint with headers', async () => {
    const { endpoint, requests } = await service(executing(buildSchema(SDL)));
    const headers = { 'X-Trace': 'canary' };
    await within({
      '.graphqlrc': JSON.stringify({ schema: [{ [variable('URL')]: { headers } }] }),
      'data.json': '{"old":5}',
    });
    const world = { env: { URL: endpoint } };
    const { stdout } = await mop(['gql', 'run', '{ old }', '--data', 'data.json'], world);
    expect(JSON.parse(stdout)).toEqual({ data: { old: 5 } });
    expect(requests[0]?.headers['x-trace']).toBe('canary');
  });

  it('may use anchors, and variables that are not set where they do not matter', async () => {
    const unset = variable('NO_SUCH');
    const yaml = `# ${unset} and ${variable('MOP_API_SECRET')}
base: &base
  schema: [./schema: { x: 1 }]
  extensions: { endpoints: "${unset}" }
projects:
  default:
    <<: *base
    documents: ops/good.graphql
  web:
    schema: ${unset}
`;
    await within({
      ...FILES,
      '.graphqlrc': yaml,
      'deep/schema/q.graphql': 'type Query { x: Int }',
    });
    process.chdir('deep');
    expect((await gql('validate')).code).toBe(0);
  });

  it('names the projects that are not checked', async () => {
    const projects = { default: PROJECT, web: {}, admin: {} };
    await within({ ...FILES, 'graphql.config.yaml': JSON.stringify({ projects }) });
    const { code, stderr } = await gql('validate', '--quiet');
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(
        /only the project "default" of .*graphql.config.yaml is used, not: web, admin/,
      ),
    ]);
  });

  it('does not choose the receiver of -H', async () => {
    const { endpoint, requests } = await service(executing(buildSchema(SDL)));
    await within({ ...FILES, '.graphqlrc': `schema: ${endpoint}`, 'q.graphql': '{ old }' });
    const args = ['validate', 'q.graphql', '-H', 'X-Key: mytoken99'];
    expectFailure(await gql(...args), 2, '-H is not sent', 'with --schema URL');
    expect(requests).toEqual([]);
    expect((await gql(...args, '--schema', endpoint)).code).toBe(0);
  });

  it('takes the default of an empty variable, and removes files of "exclude"', async () => {
    const schema = variable('EMPTY:schema');
    const project = { schema, documents: 'ops', exclude: 'ops/bad.graphql' };
    await within({ ...FILES, '.graphqlrc': JSON.stringify(project) });
    expect((await mop(['gql', 'validate'], { env: { EMPTY: '' } })).code).toBe(0);
  });

  it('is not read when the arguments name everything', async () => {
    await within({ ...FILES, 'graphql.config.js': 'module.exports = {}' });
    const args = ['ops/good.graphql', '--schema', 'schema'];
    expect((await gql('validate', ...args)).code).toBe(0);
  });

  it('gives way to --schema and --endpoint', async () => {
    const { endpoint } = await service(executing(buildSchema(SDL)));
    await within({ ...FILES, '.graphqlrc': 'schema: nothing', 'q.graphql': '{ old }' });
    expect((await gql('validate', 'q.graphql', '--endpoint', endpoint)).code).toBe(0);
    expect((await gql('validate', 'ops/good.graphql', '--schema', 'schema')).code).toBe(0);
    expectFailure(await gql('validate', 'q.graphql'), 2, 'nothing');
  });

  it('that cannot be used is exit code 2', () =>
    checkRows(
      [
        ['graphql.config.ts', 'export default {}', 'is not in YAML or JSON'],
        ['.graphqlrc', 'schema: [', 'is not YAML or JSON'],
        ['.graphqlrc', 'projects: { a: {}, b: {} }', 'has several projects, a, b, and none'],
        ['.graphqlrc', 'projects: {}', 'has no projects'],
        ['.graphqlrc', 'projects: { only: 5 }', '"schema" that is not a path'],
        ['.graphqlrc', 'projects: { only: schema }', 'no documents to validate'],
        ['.graphqlrc', 'schema: schema', 'no documents to validate'],
        ['.graphqlrc', 'schema: schema\ndocuments: "!ops/**"', 'no GraphQL file'],
        ['.graphqlrc', 'schema: 5\ndocuments: ops', '"schema" that is not a path'],
        ['.graphqlrc', 'schema: schema\ndocuments: 5', '"documents" that is not a text'],
        ['.graphqlrc', `schema: ${variable('NO_SUCH')}`, 'needs the variable NO_SUCH'],
      ],
      async ([name, content, message]) => {
        await within({ ...FILES, [name]: content });
        expectFailure(await gql('validate'), 2, message);
      },
    ));
});
