import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { parse } from 'unbash';
import { describe, expect, it } from 'vitest';
import { ShellText } from '../../../src/signing/capture/shell-commands.ts';
import { usageError } from '../helpers.ts';

/** The first command of a text, and the text after its pipeline. */
function read(text: string) {
  const shell = new ShellText(text, 'curl', parse);
  const pipeline = shell.pipelineAt(0, '');
  return { ...shell.read(pipeline, 0), rest: shell.text.slice(pipeline.end) };
}
const words = (text: string) => read(text).words;

describe('the words of a command', () => {
  it.each<[text: string, words: string[]]>([
    ['', []],
    ['  a \t b  ', ['a', 'b']],
    [`'' "" $''`, ['', '', '']],
    [`a'b c'"d e"f`, ['ab cd ef']],
    [String.raw`'a\n"b'`, [String.raw`a\n"b`]],
    [String.raw`"a\"b\\c\$d\`e\n"`, ['a"b\\c$d`e\\n']],
    ['"a\\\nb" c\\\nd', ['ab', 'cd']],
    ['a \\\r\n  b', ['a', 'b']],
    [String.raw`a\ b \'c\" \\`, ['a b', `'c"`, '\\']],
    ['a \\', ['a']],
    [String.raw`$'a\n\t\\\'\"\a\b\e\f\v\r\cA\x41\101\?'`, ['a\n\t\\\'"\x07\b\x1b\f\v\r\x01AA?']],
    [String.raw`$'\u4e2d\U1F695\u0021\xe6\x9d\xad\346\235\255'`, ['中🚕!杭杭']],
    [String.raw`$'\ud83d\ude95\z\x'`, ['🚕\\z\\x']],
    ["$'a\\\nb\\\\\n'", ['a\\\nb\\\n']],
    [`$"a'b"`, ["a'b"]],
    ['a#b #c', ['a#b']],
    ['a | jq .', ['a']],
    ['a;b', ['a']],
    ['a&b', ['a']],
    ['a\nb', ['a']],
    ['a\r\nb', ['a']],
    ['a 2>/dev/null', ['a']],
    ['a 12> x', ['a']],
    ['a b=c d="e f" g[h]=* {i,"j"}', ['a', 'b=c', 'd=e f', 'g[h]=*', '{i,j}']],
    ['中 "杭州🚕"', ['中', '杭州🚕']],
    ['"$" $ "a$"', ['$', '$', 'a$']],
  ])('are those of %j', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it('keep and name the expansions of the shell', () => {
    const braced = `\${A:-b c}`;
    const text = `-H "X: $KEY" -H '$no' ${braced} "$(date "+%s" (x))" \`id -u\` "$1$KEY" \\$no`;
    expect(read(`a ${text}`)).toMatchObject({
      words: [
        'a',
        '-H',
        'X: $KEY',
        '-H',
        '$no',
        braced,
        '$(date "+%s" (x))',
        '`id -u`',
        '$1$KEY',
        '$no',
      ],
      expansions: ['$KEY', braced, '$(date "+%s" (x))', '`id -u`', '$1'],
    });
  });

  it.each([
    ["a 'b", 'a single quote is not closed, from line 1 column 3'],
    ['a\\\n "b', 'a double quote is not closed, from line 2 column 2'],
    ["$'b\\'", 'an ANSI-C quote is not closed, from line 1 column 2'],
    ['a $(b', 'a command substitution is not closed, from line 1 column 3'],
    ['${b', 'a parameter expansion is not closed, from line 1 column 1'],
    ['`b', 'a backtick is not closed, from line 1 column 1'],
    ["$'\\xff'", "the text of a $'…' is not UTF-8 text"],
    ["$'\\ud83d'", "the text of a $'…' is not UTF-8 text"],
  ])('reject %j', (text, message) => {
    expect(() => words(text)).toThrow(usageError(`read as a curl command: ${message}`));
  });
});

describe('redirections', () => {
  it.each<[text: string, input: object | undefined, rest: string]>([
    ['a > out b\nrest', undefined, 'rest'],
    ['a 2>&1 >> out b; rest', undefined, '; rest'],
    ['a < in b', { path: 'in' }, ''],
    ["a <<< '{}' b", { text: '{}\n' }, ''],
    ["a <<'EOF' b\n$x \\\\ \"\nEOF\nrest", { text: '$x \\\\ "\n' }, 'rest'],
    ['a <<EOF b\n\\$x \\\\ \\n "\\\n!"\nEOF', { text: '$x \\ \\n "!"\n' }, ''],
    ['a <<-E b | jq .\n\t\tx\n\tE\nrest', { text: 'x\n' }, 'rest'],
    ['a << E b\r\nx\r\nE\r\n', { text: 'x\r\n' }, ''],
    ["a < first <<< '{}' < last b", { path: 'last' }, ''],
  ])('%j', (text, input, rest) => {
    const command = read(text);
    expect(command.words).toEqual(['a', 'b']);
    expect(command.input).toEqual(input);
    expect(command.rest.trim()).toBe(rest);
  });

  it('names the expansions in a heredoc', () => {
    expect(read('a <<E\n{"t":$TS,"u":"$(id)"}\nE').expansions).toEqual(['$TS', '$(id)']);
  });

  it('rejects a missing heredoc', () => {
    for (const text of ['a <<EOF', 'a <<EOF\n{}\n', 'a <<EOF | b\nEO']) {
      expect(() => read(text)).toThrow(
        usageError('read as a curl command: the heredoc "EOF" is not closed'),
      );
    }
  });
});

describe('words agree with', () => {
  const single = fc.constantFrom(...`ab "\\$\`#|&;<>()*\n\t中🚕!~`).map((c) => `'${c}'`);
  const double = fc
    .array(
      fc.constantFrom('a', ' ', "'", '\\"', '\\\\', '\\$', '\\`', '\\n', '\\\n', '#', '中', '|'),
    )
    .map((parts) => `"${parts.join('')}"`);
  const escaped = fc.constantFrom(...'ab "\'\\$`#|&;<>()*~').map((c) => `\\${c}`);
  const plain = fc
    .constantFrom('a', 'b-c', '{"', '"=', '=', '/x', '@', '中', '\\\n', 'x#')
    .map((c) => c.replace('"', '\\"'));
  const space = fc.constantFrom(' ', '  ', '\t', ' \\\n ');
  const posix = fc.array(fc.oneof(single, double, escaped, plain, space), { maxLength: 12 });
  const ansi = fc
    .array(
      fc.constantFrom(
        ...['a', ' ', '"', "\\'", '\\"', '\\\\', '\\n', '\\t', '\\r', '\\e', '\\a', '\\v', '\\q'],
        ...['\\x41', '\\x7e', '\\101', '\\xe6\\x9d\\xad', '\\u4e2d', '\\U0001F695', '\\cA', '中'],
      ),
    )
    .map((parts) => `$'${parts.join('')}'`);
  const bash = fc.array(fc.oneof(single, double, escaped, plain, space, ansi), { maxLength: 12 });

  it.each([
    ['sh', posix],
    ['bash', bash],
  ])('%s', (shell, pieces) => {
    // With a first word, no comment sign or tilde is at the start of the command.
    const command = pieces.map((parts) => `x${parts.join('')}`);
    const commands = fc.sample(command, { numRuns: 300, seed: 20261119 });
    const script = commands.map((text) => `printf '%s\\0' ${text}\nprintf '\\2\\0'`).join('\n');
    const { stdout, error } = spawnSync(shell, ['-c', `set -f\n${script}`], {
      encoding: 'utf8',
      env: { LC_ALL: 'C.UTF-8' },
    });
    if (error) {
      console.warn(`${shell} is missing: its word splitting was not compared`);
      return;
    }
    const theirs = stdout
      .split('\x02\0')
      .slice(0, -1)
      .map((output) => output.split('\0').slice(0, -1));
    expect(commands.map((text) => words(`a ${text} z`).slice(1, -1))).toEqual(theirs);
  });
});
