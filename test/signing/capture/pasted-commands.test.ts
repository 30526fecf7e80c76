import { describe, expect, it } from 'vitest';
import { readCapture, readCaptures } from '../../../src/signing/capture/read-capture.ts';
import { FILES, failure } from './support.ts';

const bodies = async (text: string) =>
  (await readCaptures(text, FILES)).map(({ entry, read }) => [entry, read().body]);

describe('several commands', () => {
  it.each<[tool: string, text: string]>([
    [
      'Chrome, "Copy all as cURL (bash)"',
      `curl 'https://host/page' \\
  -H 'accept: text/html' ;
curl 'https://host/api' \\
  -H 'content-type: application/json' \\
  --data-raw '{"n":1,"sign":"A"}' ;
curl 'https://host/api' \\
  -H 'content-type: application/json' \\
  --data-raw $'{"n":2,"sign":"it\\'s; curl"}'`,
    ],
    [
      'Chrome, "Copy all as cURL (cmd)"',
      `curl ^"https://host/page^" ^\r
  -H ^"accept: text/html^" &\r
curl ^"https://host/api?a=1^&b=2^" ^\r
  --data-raw ^"^{^\\^"n^\\^":1,^\\^"sign^\\^":^\\^"A^\\^"^}^" &\r
curl ^"https://host/api^" ^\r
  --data-raw ^"^{^\\^"n^\\^":2,^\\^"sign^\\^":^\\^"it's; curl^\\^"^}^"`,
    ],
    [
      'a shell script',
      `#!/usr/bin/env bash
set -euo pipefail
# curl https://old/ -d '{"sign":"OLD"}'
curl -s https://host/health
if ! RESULT=$(curl -sS https://host/api -d '{"n":1,"sign":"A"}' | jq .code); then exit 1; fi
sudo curl https://host/api -d @- <<'EOF' > out.txt
{"n":2,"sign":"it's; curl"}
EOF
echo done`,
    ],
    [
      'curl --next',
      `curl https://host/page -d {} --next https://host/api -d '{"n":1,"sign":"A"}' -: -d '{"n":2,"sign":"it'"'"'s; curl"}'`,
    ],
  ])('are read: %s', async (_, text) => {
    const found = await bodies(text);
    expect(found.map(([entry]) => entry)).toEqual([2, 3]);
    expect(found.map(([, body]) => JSON.parse(body as string))).toEqual([
      { n: 1, sign: 'A' },
      { n: 2, sign: "it's; curl" },
    ]);
    expect((await readCapture(text)).body).toBe(found[0]?.[1]);
    expect((await readCapture(text, { entry: 3 })).body).toBe(found[1]?.[1]);
  });

  it('are read although others are unreadable', async () => {
    const text = `curl a -d '{"sign":"A"}'\ncurl b -d @missing\ncurl c -d '{"sign"'\ncurl d -d '{"sign`;
    const found = await readCaptures(text, FILES);
    expect(found.map(({ entry }) => entry)).toEqual([1, 3, 4]);
    expect(() => found[2]?.read()).toThrow('a single quote is not closed, from line 4 column 11');
  });

  it.each([
    '[root@host ~]# ',
    'me@Mac dir % ',
    '➜  ~ ',
    '(venv) me@host:~/x$ ',
    'exec ',
    'cat body.json | ',
  ])('may follow %j', async (before) => {
    expect((await readCapture(`${before}curl https://host/x -d '{}'`)).body).toBe('{}');
  });

  it.each(['a curl -d {}', 'the curl\n', 'mycurl -d {}', 'curl.txt'])(
    'do not include %j',
    async (text) => {
      expect(await failure(text)).toContain('the request is in an unknown format');
    },
  );
});

describe('the input of a command', () => {
  it.each([
    [
      'a heredoc in a substitution',
      `R=$(curl x --json @- <<EOF | jq .data)\n{"a":1}\nEOF\necho "it's $R"`,
      '{"a":1}\n',
    ],
    ['a heredoc', 'curl https://host/x -d @- <<EOF\n{"a":1}\nEOF', '{"a":1}'],
    ['a here-string', 'curl https://host/x --json @- <<< \'{"a":1}\'', '{"a":1}\n'],
    ['a here-string', 'curl https://host/x -d @- <<< \'{"a":1}\'', '{"a":1}'],
    ['a file', 'curl https://host/x --json @- < one-line.json', '{"a":1}'],
    ['echo', `me@host:~$ echo '{"a":1}' | curl https://host/x -d @-`, '{"a":1}'],
    ['echo -n', `echo -n '{"a":1}' | curl https://host/x --json @-`, '{"a":1}'],
    ['echo without quotes', 'echo {}  | curl https://host/x --data-binary @-', '{}\n'],
    ['echo -e', `echo -ne '{"a":\\n"\\"\\x41"}' | curl x --json @-`, '{"a":\n"\\"A"}'],
    ['echo in lines', `echo '{\n"a": "echo | x"}' \\\n  | curl x -d @-`, '{"a": "echo | x"}'],
    ['echo of a variable', `B='{"a":1}'\necho "$B" |\n  curl https://host/x -d @-`, '{"a":1}'],
    ['echo in a substitution', `R=$(echo '{"a":1}' | sudo curl x -d @-)`, '{"a":1}'],
    ['echo after other text', `Here's it: \n/bin/echo '{"a":1}' | curl x -d @-`, '{"a":1}'],
    ['printf', `printf '{"a":"100%%"}\\n' | curl x -d @-`, '{"a":"100%"}'],
    ['printf %s', `printf '%s\\n' '{"a":"\\n"}' | curl x -d @-`, '{"a":"\\n"}'],
    ['printf of parts', `printf '%s' '{"a"' ':1}' | curl x -d @-`, '{"a":1}'],
    ['cat of a heredoc', `cat <<EOF | curl x -d @-\n{"a":\n"$"}\nEOF\necho`, '{"a":"$"}'],
    [
      'cat of a quoted heredoc',
      `cat <<'EOF' | curl x -d @-\n{"a":"curl $x"}\nEOF`,
      '{"a":"curl $x"}',
    ],
    ['cat of a file', 'cat one-line.json | curl x --json @-', '{"a":1}'],
  ])('is %s', async (_, text, body) => {
    const { body: read, notes } = await readCapture(text, FILES);
    expect(read).toBe(body);
    expect(notes.join()).not.toMatch(/shell|bash/);
  });

  it('may be in the data', async () => {
    const text = `curl x -d "$(cat <<'EOF'\n{"a":"$1"}\nEOF\n)" -H 'A: b'`;
    expect(await readCapture(text)).toMatchObject({ body: '{"a":"$1"}', notes: [] });
  });

  it('is read for other programs too', async () => {
    expect((await readCapture(`echo '{"a":1}' | http POST host/x`)).body).toBe('{"a":1}\n');
  });

  it('has notes about possible changes by a shell', async () => {
    const { notes } = await readCapture(`echo "{\\"a\\":\\"\\\\n$X\\"}" | curl x -d @-`);
    expect(notes).toEqual([
      expect.stringContaining('the backslashes of echo were read as in bash'),
      expect.stringContaining('the shell would replace "$X"'),
    ]);
  });

  it.each([
    ['a heredoc', `curl x -d @- <<EOF\n{"a":"\\\\n"}\nEOF`],
    ['a heredoc of cat', `cat <<EOF | curl x -d @-\n{"a":"\\\\n"}\nEOF`],
  ])('has a note about changed backslashes in %s', async (_, text) => {
    const { body, notes } = await readCapture(text);
    expect(body).toBe('{"a":"\\n"}');
    expect(notes).toEqual(["the shell changed backslashes in the heredoc; <<'EOF' keeps them"]);
    const quoted = text.replace('<<EOF', "<<'EOF'");
    expect(await readCapture(quoted)).toMatchObject({ body: '{"a":"\\\\n"}', notes: [] });
  });

  it('is not mistaken for another command', async () => {
    const text = `cat <<EOF | curl x -d @-\n{"a":"\ncurl y -d {}\n"}\nEOF\ncurl z -d '{"sign":"A"}'`;
    const found = await readCaptures(text);
    expect(found.map(({ entry }) => entry)).toEqual([2]);
  });

  it.each([
    [
      'the output of a program',
      "$ echo '{}' | jq -c . | curl -d @-",
      '--data takes its data from the output of "jq -c .", which mop does not run',
    ],
    [
      'a conversion of printf',
      "printf '%d' 1 | curl -d @-",
      '--data takes its data from the output',
    ],
    ['several files', 'cat a b | curl -d @-', '--data takes its data from the output of "cat a b"'],
    [
      'the output of another line',
      "echo '{}'; true || curl -d @-",
      '--data takes its data from st',
    ],
    ['a heredoc that was not copied', 'curl -d @- <<EOF', 'the heredoc "EOF" is not closed'],
    [
      'a heredoc of cat that was not copied',
      'cat <<EOF | curl -d @-',
      'the heredoc "EOF" is not closed',
    ],
    [
      'a line of heredocs',
      `curl -d @- ${'<<E '.repeat(1000)}`,
      'line 1 begins 1000 heredocs or more',
    ],
    ['a missing file', 'curl -d @- < missing', '--data: cannot read "missing"'],
  ])('cannot be %s', async (_, text, message) => {
    expect(await failure(text, FILES)).toContain(`read as a curl command: ${message}`);
  });
});

describe('the variables of a script', () => {
  it.each([
    ['export A=1\nB="{\\"a\\":$A}"', '{"a":1}'],
    ['A=x\nA=\'{"a":1}\' # again\nB=$A', '{"a":1}'],
    ['B=$(cat <<\'END\'\n{"a":\n1}\nEND\n)', '{"a":\n1}'],
    ['B=$(cat <<END\n{"a":1}\nEND\n)', '{"a":1}'],
    ["H='A: b'\nB='{}'", '{}'],
    ['B="$(echo \'{"a":1}\')"', '{"a":1}'],
  ])('%j', async (script, body) => {
    const text = `#!/bin/sh\n${script}\ncurl https://host -H "A: \${H}" -d "$B"`;
    expect((await readCapture(text)).body).toBe(body);
  });

  it.each([
    ['B=$(date)', '"$B"'],
    ['B="$(cat body.json)"', '"$B"'],
    ['B=$(cat <<END\n{"a":$A}\nEND\n)', '"$B"'],
    ['B={} true', '"$B"'],
    ["B='{}", '"$B"'],
    ['', '"$B"'],
  ])('are named if unknown: %j', async (script, name) => {
    await expect(readCapture(`${script}\ncurl https://host -d "$B"`)).rejects.toMatchObject({
      code: 'usage',
      details: { hint: expect.stringContaining(`replace ${name}, which`) },
    });
  });

  it('are named if the shell would split them', async () => {
    const { notes } = await readCapture("A='b c'\ncurl https://host -d {} -H $A");
    expect(notes).toEqual([expect.stringContaining('replace "$A"')]);
  });
});

it('notes a backslash at the end of the last line', async () => {
  const notes = ['the command ends with a backslash: lines after it may be missing'];
  expect(await readCapture("curl https://host -d '{}' \\\n")).toMatchObject({ notes });
  await expect(readCapture("curl https://host \\\n -H 'A: b' \\")).rejects.toMatchObject({
    details: { hint: expect.stringContaining('ends with a backslash') },
  });
});

it('a body that the script writes to a file is read, without the marks of a search engine', async () => {
  const body = '{"n":"<em>1</em>","sign":"A"}';
  const script = `cat > req.json <<'EOF'\n${body}\nEOF\ncurl https://host/open/v1/x -d @req.json`;
  expect((await readCapture(script)).body).toBe(body);
});
