import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readCapture } from '../../../src/signing/capture/read-capture.ts';
import { signedContent } from '../../../src/signing/received-request.ts';
import { nginxEscaped } from './printers.ts';
import { failure, PLAIN_BODY, SIGNED_BODY, SIGNED_HEADERS } from './support.ts';

const FIELDS = {
  city: '杭州',
  lat: 30.25,
  api_key: 'sandbox',
  seq_id: 'seq-1',
  sign: 'A'.repeat(32),
};
const TIME = '2026-11-27 16:43:20 INFO';
const HEADERS = SIGNED_HEADERS.map(([name, value]) => `${name}=${value}`).join(', ');
const LINES = SIGNED_HEADERS.map(([name, value]) => `${name}: ${value}`).join('\n');
const pairs = (format: (name: string, value: string | number) => string, by = ', ') =>
  Object.entries(FIELDS)
    .map(([name, value]) => format(name, value))
    .join(by);
const cut = SIGNED_BODY.slice(0, 120);

/** Texts that contain no usable request, and a part of the message, which must be true. */
const REFUSALS: readonly (readonly [text: string, content: string, message: string])[] = [
  ['util.inspect', `sending ${inspect(FIELDS, { breakLength: 40 })}`, 'an object of JavaScript (console.log, util.inspect)'],
  ['util.inspect of a Buffer', `body ${inspect(Buffer.from(SIGNED_BODY))} sign`, 'bytes that util.inspect (console.log) cut off'],
  ['[object Object]', `${TIME} sign body: [object Object]`, 'the name of an object in place of the body'],
  ['a byte array of Java', `${TIME} headers={${HEADERS}} body=[B@6d06d69c`, 'the name of an object in place of the body'],
  ['print_r', `Array\n(\n${pairs((name, value) => `    [${name}] => ${value}`, '\n')}\n)`, 'an object of PHP (print_r)'],
  ['var_dump', `array(5) {\n${pairs((name, value) => `  ["${name}"]=>\n  string(7) "${value}"`, '\n')}\n}`, 'an object of PHP (var_dump)'],
  ['var_export', `array (\n${pairs((name, value) => `  '${name}' => '${value}',`, '\n')}\n)`, 'an array of PHP (var_export) or Perl'],
  ['a map of Java', `${TIME} body={${pairs((name, value) => `${name}=${value}`)}}`, 'an object printed by Java, Kotlin or C#'],
  ['a data class of Kotlin', `${TIME} Request(${pairs((name, value) => `${name}=${value}`)})`, 'an object printed by Java, Kotlin or C#'],
  ['an anonymous object of C#', `${TIME} { ${pairs((name, value) => `${name} = ${value}`)} }`, 'an object printed by Java, Kotlin or C#'],
  ['a map of Dart', `I/flutter: {${pairs((name, value) => `${name}: ${value}`)}}`, 'as Dart, Go and YAML print them'],
  ['a dict of Python', `${TIME} {${pairs((name, value) => `'${name}': '${value}'`)}}`, 'a dict printed by Python'],
  ['a hash of Ruby', `${TIME} {${pairs((name, value) => `"${name}"=>"${value}"`)}}`, 'a hash of Ruby or a map of Elixir'],
  ['a map of Elixir', `${TIME} %{${pairs((name, value) => `"${name}" => "${value}"`)}}`, 'a hash of Ruby or a map of Elixir'],
  ['a map of Go', `${TIME} map[${pairs((name, value) => `${name}:${value}`, ' ')}]`, 'a map printed by Go'],
  ['a struct of Go', `${TIME} {City:杭州 ApiKey:sandbox Sign:${FIELDS.sign} }`, 'as Dart, Go and YAML print them'],
  ['a dictionary of Swift', `${TIME} [${pairs((name, value) => `"${name}": "${value}"`)}]`, 'a dictionary printed by Swift'],
  ['a term of Erlang', `${TIME} [${pairs((name, value) => `{<<"${name}">>,<<"${value}">>}`)}]`, 'a term of Erlang'],
  ['a struct of Elixir', `${TIME} %Mop.Order{start: %{lng: 1}, ${pairs((name, value) => `${name}: "${value}"`)}}`, 'a struct or a map of Elixir'],
  ['a map of Clojure', `${TIME} {${pairs((name, value) => `:${name} "${value}"`)}}`, 'a map of Clojure'],
  ['a Map of Scala', `[info] Map(${pairs((name, value) => `${name} -> ${value}`)})`, 'a Map of Scala'],
  ['a table of Lua', `[lua] {\n${pairs((name, value) => `  ${name} = "${value}"`, ',\n')}\n}`, 'a table of Lua'],
  ['an NSDictionary', `{\n${pairs((name, value) => `    ${name} = ${value};`, '\n')}\n}`, 'an NSDictionary'],
  ['a table of PowerShell', `Name      Value\n----      -----\n${pairs((name, value) => `${name.padEnd(20)} ${value}`, '\n')}`, 'a table that PowerShell prints'],
  ['a dataclass of Python', `${TIME} Order(${pairs((name, value) => `${name}='${value}'`)}, tags=['a'])`, 'an object of Python'],
  ['the parsed view of Chrome', `Request Payload\nview source\n{city: "杭州",…}\n${pairs((name, value) => `${name}: "${value}"`, '\n')}`, 'the parsed view of Chrome'],
  ['JSON of DynamoDB', `{"Item":{${pairs((name, value) => `"${name}":{"S":"${value}"}`)}}}`, 'JSON of DynamoDB'],
  ['typographic quotation marks', `{${pairs((name, value) => `“${name}”:“${value}”`)}}`, 'typographic quotation marks'],
  ['bytes of gzip', `{"body":"H4sIAAAAAAACAyWOQW6DMBBF7zJrqGwDxrADUtRtpW6qqkI"}`, 'bytes compressed with gzip'],
  ['a dump of od', '0000000   {   "   a   "   :   1   ,   "   b   "   :   2   ,   "\n0000020   c   "', 'an octal dump'],
  ['a line of a load balancer', `http 2026-11-27T08:43:20Z app/a 10.0.12.44:42988 "POST http://a.example.com:80/open/v1/x HTTP/1.1" "okhttp/4" - -`, 'the access log does not contain the body'],
  ['a form', `${TIME} body: ${pairs((name, value) => `${name}=${value}`, '&')}`, 'a urlencoded form'],
  ['a cut body', `${TIME} body=${cut}`, 'its JSON is cut off'],
  ['a cut body with the rest counted', `${TIME} body=${cut}... (120 more bytes)`, 'its JSON is cut off'],
  ['a cut body in JSON', JSON.stringify({ level: 'info', msg: `body=${cut}...[truncated]` }), 'its JSON is cut off'],
  ['a cut body of nginx', `127.0.0.1 "POST /x HTTP/1.1" 200 "${nginxEscaped(cut)}"`, 'its JSON is cut off'],
  ['a cut body with headers', `${TIME} {${HEADERS}} ${PLAIN_BODY.slice(0, 20)}`, 'its JSON is cut off'],
  ['headers without a body', `${TIME} POST https://h/api/open/x {${HEADERS}}`, 'the body that it signs was not found'],
  ['a body that is masked', `${TIME} {${HEADERS}} body=******`, 'the log masks the body'],
  ['a signature that is masked', `${TIME} ${SIGNED_BODY.replace(/"sign":"(.{6}).*?"/, '"sign":"$1******"')}`, 'the log masks the signature (sign='],
  ['a signature of dots', `${TIME} {X-TMS-Sign=••••••••} ${PLAIN_BODY}`, 'the log masks the signature (X-TMS-Sign=••••••••)'],
  ['a signature of x', `${TIME} {X-TMS-Sign=xxxxxxxx} ${PLAIN_BODY}`, 'the log masks the signature (X-TMS-Sign=xxxxxxxx)'],
  ['a hex dump that is cut', `0000  50 4f 53 54 20 2f 6f 70 65 6e 2f 76 31 2f 75 73  POST /open/v1/us`, 'a hex dump'],
  ['only a response body', `${TIME} {${HEADERS}}\nresponse body: ${PLAIN_BODY}`, 'the body that it signs was not found'],
  ['only a result', `${TIME} {${HEADERS}}\n${TIME} result: ${PLAIN_BODY}`, 'the body that it signs was not found'],
  ['an envelope of a response', `${TIME} {${HEADERS}}\n{"code":1002,"message":"sign error","data":{}}`, 'the body that it signs was not found'],
  ['a response in a document', JSON.stringify({ request: { headers: Object.fromEntries(SIGNED_HEADERS) }, response: { body: PLAIN_BODY } }), 'the body that it signs was not found'],
  ['a response deep in a document', JSON.stringify({ log: { headers: Object.fromEntries(SIGNED_HEADERS), res: { body: PLAIN_BODY } } }), 'the body that it signs was not found'],
  ['headers and another object', JSON.stringify({ headers: Object.fromEntries(SIGNED_HEADERS), user: { id: 1 } }), 'the body that it signs was not found'],
  ['a message without a body and its response', `POST /api/open/x HTTP/1.1\n${LINES}\n\nHTTP/1.1 200 OK\n\n${PLAIN_BODY}`, 'the body is missing: a response follows the headers'],
  ['a message and a response in Chinese', `POST /api/open/x\n${LINES}\n\n响应：\n${PLAIN_BODY}`, 'the body is missing: a response follows the headers'],
  ['OkHttp without a body', `--> POST https://h/api/open/x\n${LINES}\n--> END POST\n<-- 200 OK https://h (9ms)\n\n${PLAIN_BODY}\n<-- END HTTP`, 'the log does not contain the body'],
  ['a response', `< HTTP/1.1 200 OK\n< Content-Type: application/json\n\n{"code":0}`, 'a response, not a request'],
]; // biome-ignore format: a table

describe('a text without a usable request is refused with the reason:', () => {
  it.each(REFUSALS)('%s', async (_, text, message) => {
    expect(await failure(text)).toContain(message);
  });

  it('a body with the signature in another field is named as such', async () => {
    const request = await readCapture('{"api_key":"k","Signature":"AB"}');
    expect(() => signedContent(request)).toThrow('the field "Signature" may contain the signature');
  });

  it('a masked value in a request that can be read is a note', async () => {
    const body = `{"phone":"138****8000","sign":"${FIELDS.sign}"}`;
    expect((await readCapture(body)).notes).toEqual([
      'the log seems to mask phone ("138****8000"): the signature covers the value that was sent',
    ]);
  });
});
