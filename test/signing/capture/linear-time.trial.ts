/** The CPU time of each capture is proportional to its length. */
import { describe, it } from 'vitest';
import { expectLinearTime, many } from '../../trials/fuzz/support.ts';
import { times } from '../../trials/scale.ts';
import { accepts } from './hostile.ts';

const SCALE = times(1, 8);

/** Repeats a piece up to a size. */
type Fill = (piece: string, size?: number) => string;

function captures(fill: Fill): readonly (readonly [subject: string, text: string])[] {
  const json = `{"a":"${fill('x', 128_000)}"}`;
  const form = (part: string) => `POST /a\n\n--b\n${part}\n--b--\n`;
  const part = 'Content-Disposition: form-data; name="a"';
  return [
    ['JSON', json],
    ['a HAR', `{"log":{"entries":[{"request":{"postData":{"text":${JSON.stringify(json)}}}}]}}`],
    ['an HTTP message', `POST /a\n\n${json}`],
    ['a multipart file', form(`${part}; filename="b"\n\n${fill('\r\n--', 128_000)}`)],
    ['a curl command', `curl -d '${json}'`],
    ['a Windows command', `curl ^"a^" -d ^"${fill('^{', 128_000)}^"`],
    ['open brackets', fill('[')],
    ['HAR entries', `{"log":{"entries":[${fill('{"request":{"postData":{"text":"{}"}}},')}0]}}`],
    ['chunks', `POST /a\nTransfer-Encoding: chunked\n\n${fill('1\n{\n')}0\n\n`],
    ['headers', `POST /a\n${fill('A: b\n')}\n{}`],
    ['white space in a header', `POST /a\nA: ${fill(' ')}b\n\n{}`],
    ['multipart parts', form(`${part}\n\n${fill(`\n--b\n${part}\n\n`)}`)],
    ['almost boundaries', form(`${part}\n\n${fill('\n--b-')}`)],
    ['a multipart head', form(`${part}${fill(';')}`)],
    ['a double quote', `curl -d "${fill('\\"')}"`],
    ['double quotes', `curl -d {} ${fill('""')}`],
    ["a $' quote", `curl -d $'{"a":"${fill('\\x41\\u4e2d')}"}'`],
    ['expansions', `curl -d {} "${fill('$a$(b)')}"`],
    ['open expansions', `curl -d {} ${fill('$(')}`],
    ['backslashes', `curl -d {} ${fill('\\\\')}`],
    ['words', `curl ${fill('-d a=b ')}`],
    ['empty data', `curl ${fill("-d '' ")}`],
    ['addresses', `curl -d {} -- ${fill('a ')}`],
    ['a flag bundle', `curl -d {} -${fill('s')}`],
    ['a form argument', `curl -F 'a="${fill('\\"')}"'`],
    ['form parameters', `curl -F 'a=b${fill(';"')}'`],
    ['a urlencoded form', `curl -d '${fill('a=%E6%9D%AD&')}'`],
    ['quotes of cmd', `curl ^"a^" -d ^"${fill('""')}^"`],
    ['backslashes of cmd', `curl "a" ^\n -d "${fill('\\')}`],
    ['assignments', `${fill("A='' ")}curl -d {}`],
    ['comments', `${fill('#\n')}curl -d {}`],
    ['white space', fill(' \n')],
    ['curl commands', fill("curl a -d '{}' ;\n", 16_000)],
    ['curl in a line', fill('curl ')],
    ['curl in words', fill('a curl ')],
    ['heredocs', fill('curl -d @- <<E\n{}\nE\n', 16_000)],
    ['shell variables', `${fill('A=1\n')}curl -d "$A"`],
    ['growing shell variables', `A=aaaaaaaa\n${'A="$A$A"\n'.repeat(50)}curl -d "$A"`],
    ['open heredocs', fill('curl -d @- <<E\n')],
    ['pipes', fill("echo '{}' | curl a -d @-\n", 16_000)],
    ['pipes of heredocs', fill('cat <<E | curl a -d @-\n{}\nE\n', 16_000)],
    ['open pipes of heredocs', fill('cat <<E | curl a -d @-\n', 16_000)],
    ['quotes before pipes', fill('echo \' echo " | curl a -d @-\n', 16_000)],
    ['quotes in pipes', fill('echo " | curl a -d {}\n', 16_000)],
    ['writers before a pipe', `${fill('echo ')}| curl a -d @-`],
    ['a conversion of printf', `printf '${fill('%s%%')}' a b | curl a -d @-`],
    ['values of printf', `printf %s ${fill('a ')}| curl a -d @-`],
    ['cmd commands', fill('curl ^"a^" &\r\n', 16_000)],
    ['HTTPie items', `http host/x ${fill('a=b ')}`],
    ['an HTTPie name', `http host/x ${fill('a')}`],
    ['wget options', `wget u ${fill('--header=a:b ')}`],
    ['fetch calls', fill('fetch("a");', 16_000)],
    ['fetch calls before a comment', fill('fetch("a")//')],
    ['open fetch calls', fill('fetch(')],
    ['a string', `fetch("${fill('\\"')}")`],
    ['a long string', `fetch("${fill('a', 128_000)}")`],
    ['open strings', fill('fetch("')],
    ['comments in JavaScript', `fetch(${fill('/**/')}`],
    ['open comments', fill('fetch(/*')],
    ['members', `fetch("u", {${fill('a:1,')}})`],
    ['sums', `fetch(${fill("'a'+")}'')`],
    ['inspected values', `axios config: {a: ${fill('[Object] ')}}`],
    ['class names', `axios config: ${fill('a [b] ')}`],
    ['PowerShell commands', fill('irm a -Body "{}"\n')],
    ['PowerShell variables', `${fill('$a = "b"\n')}irm u`],
    ['PowerShell members', `$a = @{}\n${fill('$a["b"] = "c"\n')}irm u`],
    ['PowerShell growth', `$a = "aaaaaaaa"\n${'$a = "$a$a"\n'.repeat(40)}irm u -Body $a`],
    ['PowerShell quotes', `irm u -Body "${fill('""')}"`],
    ['a here-string', `irm u -Body @"\n${fill('"`"$x')}\n"@`],
    ['open here-strings', fill('irm u -Body @"\n')],
    ['hash tables', `irm u -Headers @{${fill('a=b;')}}`],
    ['requests of a file', fill('###\nPOST https://a/\n\n{}\n')],
    ['placeholders', `@a = b\n###\nPOST https://a/\n\n${fill('{{a}}')}`],
    [
      'growing placeholders',
      `@a = {{b}}{{b}}\n@b = ${'{{c}}'.repeat(1000)}\n@c = ${'d'.repeat(9000)}\n###\nPOST https://a/\n\n{{a}}`,
    ],
    ['open placeholders', `###\nPOST https://a/\n\n${fill('{{')}`],
    ['scripts', `###\n${fill('< {%\n')}POST https://a/`],
    ['white space in a request line', `###\nPOST https://a/${fill(' ')}b\n\n{}`],
    ['Burp items', `<items>${fill('<item><request>a</request>')}`],
    ['open Burp items', `<items>${fill('<item><request base64="true"><![CDATA[')}`],
    ['words without a format', fill('a ')],
    ['slashes', fill('/')],
  ];
}

function logs(fill: Fill): readonly (readonly [subject: string, text: string])[] {
  const rows = [
    ['wire lines', '', '>> "POST /x HTTP/1.1[\\r][\\n]"\n'],
    ['wire marks', '>> "POST /x HTTP/1.1[\\r][\\n]"\n', '>> "'],
    ['wire bytes', '>> "POST /x HTTP/1.1[\\r][\\n]"\n>> "', '[0xe6]"'],
    ['headers', 'headers - >> POST /x HTTP/1.1\n', 'headers - >> POST '],
    ['arrows', '', '--> POST https://a/b '],
    ['requests of OkHttp', '', '--> POST https://a/b h2\n\n{}\n'],
    ['lines of a body', 'x --> POST https://a/b h2\nx \n', 'x {"sign":\n'],
    ['digits in a prefix', `${'1 '.repeat(150)}--> POST https://a/b h2\n`, '1 '],
    ['sends', "send: b'POST /x HTTP/1.1\\r\\n\\r\\n'\n", "send: b'{}' "],
    ['escapes of Python', "send: b'POST /x HTTP/1.1\\r\\n\\r\\n", '\\xe6\\\\'],
    ['open literals', '', "send: b'POST /x "],
    ['pieces of a trace', '', '=> Send data, 9 bytes (0x9)\n'],
    ['lines of a trace', '=> Send header, 9 bytes (0x9)\n', '0000: 61 62 63\n'],
    ['marked lines', '> POST /x HTTP/1.1\n', '> a: b\n'],
    ['marked requests', '', '> POST /x HTTP/1.1\n> \n> {}\n'],
    ['pseudo-headers', '', ':method: POST\n'],
    ['names of headers', ':method: POST\n', 'a:  '],
    ['lines of a log', '', 'INFO {"sign":"A"}\n'],
    ['objects in one line', 'INFO ', '{"sign":"A"} '],
    ['other objects', 'INFO X-TMS-Sign=A ', '{"X-TMS-A":1}\n'],
    ['open braces', 'sign ', '{"a":'],
    ['braces that are not JSON', 'sign ', '{"a"={}} '],
    ['escaped quotes', 'sign ', '{\\"a'],
    ['backslashes', 'sign {', '\\'],
    ['escapes of nginx', 'sign ', '{\\x22'],
    ['layers', 'sign {\\"', '\\\\\\\\"{\\"'],
    ['headers in a line', 'sign {"', 'X-TMS-A: '],
    ['spaces behind a header', 'sign {"a":1}', 'X-TMS-A     = '],
    ['changing headers', 'sign {"a":1}\n', '{"a":1} X-TMS-A=1\n'],
    ['methods', 'sign {"sign":"a"}', 'POST '],
    ['structs of Elixir', '', '%{'],
    ['lines of JSON', '', '{"level":30,"body":"{\\"sign\\":\\"A\\"}"}\n'],
    ['strings in JSON', '{"level":30,"body":"', '{\\"'],
    ['members', '{"level":30', ',"x-tms-sign":"A"'],
  ] as const;
  return [
    ...rows.map(([subject, start, piece]) => [subject, start + fill(piece)] as const),
    ['nested braces that are not JSON', `sign ${fill('{"a"=')}${fill('}', 6000)}`],
  ];
}

describe.each([
  ['a capture', captures],
  ['a log', logs],
])('%s takes linear time:', (_, textsOf) => {
  const scaled = (scale: number) => textsOf((piece, size = 32_000) => many(piece, size * scale));
  const small = new Map(scaled(SCALE / 8));

  it.each(scaled(SCALE))('%s', async (subject, large) => {
    await expectLinearTime(small.get(subject) ?? '', large, accepts);
  });
});
