import fc from 'fast-check';
import { shellQuote } from '../../../src/errors.ts';
import { BODY } from './signed-captures.ts';
import { awkwardText } from './support.ts';

/** The existing files that random commands name, one character a byte. */
export const FILES: Readonly<Record<string, string>> = {
  f1: '{"a":1,\r\n"b":2}\n',
  'dir/f 2': 'A: b\r\nC;\n:d',
  f3: '\xff\0',
  f4: '',
};

const named = Object.keys(FILES);
const DATA_FLAGS = '-d --data --data-raw --data-binary --data-ascii --json --dat --js'.split(' ');
const DATA = [BODY, '{}', 'a=1&b=%E6%9D%AD', '@f1', '@dir/f 2', '@f4', '[1]', '', '{"a":$KEY}'];
const FORM_FLAGS = '-F --form --form'.split(' ');
const FORM = [
  ...named.flatMap((file) => [`a=@${file}`, `b=<${file};type=x`, `c="${file}";filename=d`]),
  ...['a=1', 'a="b\\"c";filename="d', 'a=@"f1";filename=', 'a=@f1,f3', 'a=@', 'a=@-', '=', 'a'],
];
const HEADERS = ['A: b', 'A;', 'A:', '@dir/f 2', 'Content-Type: text/json', 'X-TMS-Sign: 1', ''];
const OTHER =
  '-X --request --url -G --get --next -: -K --config -o -T -b -u -x --proxy -sS -sXPUT -vkLd -g -- - --= --compressed --crlf --ssl --no-such --json= --data=@f1 --header=A:b -d{} -dx -F= -:d -1 -é @missing -d@- --url-query --data-urlencode --form-string -HA:b'.split(
    ' ',
  );

/** An option with its values, as one list of words. */
function option(flags: readonly string[], values: readonly string[]): fc.Arbitrary<string[]> {
  return fc.tuple(fc.constantFrom(...flags), fc.constantFrom(...values));
}

const data = fc.oneof(
  { weight: 3, arbitrary: option(DATA_FLAGS, DATA) },
  option(['--data-urlencode', '--data-u'], ['a=b c', '=b', 'b', 'a@f1', '@dir/f 2', 'a@', '杭=杭']),
);
const form = fc.oneof(
  { weight: 3, arbitrary: option(FORM_FLAGS, FORM) },
  option(['--form-string'], ['a=@f1', 'a=', 'b=;x', '=']),
);
const rest = fc.oneof(
  { weight: 4, arbitrary: option(['-H', '--header'], HEADERS) },
  { weight: 4, arbitrary: option(['-X', '--request', '--url'], ['PUT', 'https://host/{a}', '']) },
  { weight: 2, arbitrary: option(['-o', '-T', '-K', '-b', '-w', '--cert'], ['f1', '@f1', '-']) },
  fc.constantFrom(...OTHER).map((word) => [word]),
  awkwardText.map((word) => [word]),
);
const words = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: fc.array(data, { minLength: 1, maxLength: 2 }) },
      { weight: 4, arbitrary: fc.array(form, { minLength: 1, maxLength: 3 }) },
      fc.array(fc.oneof(data, form), { maxLength: 3 }),
    ),
    fc.array(rest, { maxLength: 3 }),
    fc.boolean(),
  )
  .map(([body, rest, isFirst]) => (isFirst ? [...body, ...rest] : [...rest, ...body]).flat());

const QUOTES: readonly ((word: string) => string)[] = [
  shellQuote,
  (word) => `"${word.replace(/["\\$`]/g, '\\$&')}"`,
  (word) => `$'${word.replace(/['\\]/g, '\\$&')}'`,
  (word) => word.replace(/[^\w/.@=-]/g, '\\$&'),
  (word) => word,
];
const CMD_QUOTES: readonly ((word: string) => string)[] = [
  (word) => `^"${word.replace(/["^%]/g, '^$&')}^"`,
  (word) => `"${word.replaceAll('"', '""')}"`,
  (word) => word,
];

/** curl commands with any options, in any quotes of one shell, possibly with an unbalanced quote. */
export const randomCommand: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('curl', '$ curl', 'C:\\x>curl.exe', 'A=1 sudo /bin/curl', '# c\ncurl'),
    words,
    fc.oneof(
      { weight: 3, arbitrary: fc.infiniteStream(fc.constantFrom(...QUOTES)) },
      fc.infiniteStream(fc.constantFrom(...CMD_QUOTES)),
    ),
    fc.constantFrom(' ', ' ', '  ', ' \\\n', ' ^\r\n', ' `\n', '\t'),
    fc.constantFrom('', '', '', '', '\n', ' | jq .', ' && x', ' # "', "'", '"', '\\', '^', '`'),
  )
  .map(([start, words, quotes, between, end]) => {
    const quoted = words.map((word) => quotes.next().value(word));
    return [start, ...quoted].join(between) + end;
  });
