import { own, quoted } from '../../errors.ts';
import { captureError } from './captured-request.ts';
import { objectsIn } from './objects.ts';

interface Refusal {
  readonly subject: string;
  readonly hint: string;
  /** Whether it describes the text, or a text below a layer of it. */
  readonly fits: RegExp | ((text: string) => boolean);
}

const AS_SENT = 'log the text of the body as it was sent';

/** Whether parts occur in their order. One expression for all of them would take quadratic time. */
function inOrder(parts: readonly string[]): (text: string) => boolean {
  const patterns = parts.map((part) => new RegExp(part, 'im'));
  return (text) => {
    let rest = text;
    return patterns.every((pattern) => {
      const found = pattern.exec(rest);
      rest = rest.slice((found?.index ?? 0) + (found?.[0].length ?? 0));
      return found !== null;
    });
  };
}

/** A field of the protocol in other notations; ` … ` stands for any text between its parts. */
const NAME = '(?:sign|api_?key)';
const notation = (form: string, how: string, pattern: string): Refusal => ({
  subject: `it contains ${form}, not the JSON that was sent`,
  hint: quoted`${own(AS_SENT)}: ${own(how)}`,
  fits: inOrder(pattern.replaceAll('NAME', NAME).split(' … ')),
});

/** The notations in which programs print objects: the name, the way to JSON, and a field of it. */
const NOTATIONS: readonly Refusal[] = (
  [
    ['an object of PHP (print_r)', 'json_encode($body)', '\\[NAME\\] => '],
    ['an object of PHP (var_dump)', 'json_encode($body)', '\\["NAME"\\]\\s*=>\\s*string\\('],
    ['an array of PHP (var_export) or Perl', 'json_encode($body)', "'NAME' => "],
    ['a term of Erlang', 'json:encode(Body)', '<<"NAME">>|\\{NAME,\\s*(?:<<)?"'],
    ['a struct or a map of Elixir', 'Jason.encode!(body)', '%[\\w.]*\\{ … \\bNAME: "'],
    ['a hash of Ruby or a map of Elixir', 'body.to_json', '(?:"NAME"|:NAME)\\s?=>'],
    ['a map of Clojure (EDN)', 'json/generate-string', ':NAME "'],
    ['a Map of Scala', 'circe or play-json', '\\bNAME -> '],
    ['an NSDictionary of Objective-C', 'NSJSONSerialization', '\\bNAME"? = "?[^\\s;"]+"?;'],
    ['a table of Lua', 'cjson.encode(body)', '(?:\\["NAME"\\]|^[ \\t]*NAME) = "'],
    ['a table that PowerShell prints', 'ConvertTo-Json -Compress', '^NAME {2,}(?:: )?\\S+[ \\t]*$'],
    ['the parsed view of Chrome', 'choose "view source" beside the payload', '^view (?:source|parsed)[ \\t]*\\r?$ … \\bNAME: "'],
    ['an object of JavaScript (console.log, util.inspect), Ruby 3.4 or Rust', 'console.log(JSON.stringify(body)), or the string that was sent', '(?:^|[{,\\s])NAME: [\'"`]'],
    ['a dict printed by Python', 'json.dumps(…), or response.request.body of requests', "'NAME': ['\"bu]"],
    ['an object of Python (dataclass, pydantic)', 'json.dumps(asdict(body)), body.model_dump_json()', "\\bNAME='"],
    ['a map printed by Go', 'json.Marshal, or the bytes of the body', 'map\\[(?:[^\\]]{0,2000}\\s)?NAME:'],
    ['an object printed by Java, Kotlin or C#', 'the string that the JSON library returned (Jackson, Gson, System.Text.Json)', '[{(,]\\s*NAME\\s?=\\s?[^\\s"=]'],
    ['names and values without quotes, as Dart, Go and YAML print them', 'jsonEncode(body), json.Marshal', '(?:[{,]\\s*|\\s)NAME:\\s?[\\w-]+\\s*[,}\\s]'],
    ['a dictionary printed by Swift', 'String(data: body, encoding: .utf8)', '\\["\\w+":  … "NAME": "'],
    ['JSON of DynamoDB, with a type for each value,', 'unmarshall(item) of @aws-sdk/util-dynamodb', '"NAME"\\s*:\\s*\\{\\s*"S"\\s*:'],
    ['typographic quotation marks (a chat or a word processor replaced them)', 'copy it from a code block or a file', '[“”]NAME[“”]'],
  ] as const // biome-ignore format: a table
)
  .map(([form, how, pattern]) => notation(form, how, pattern));

const SPECIFIC: readonly Refusal[] = [
  {
    subject:
      'it is a Postman collection, which contains templates with variables and scripts, not the request that was sent',
    hint: 'in Postman choose Code, then cURL, and pass that; or copy the request from the console',
    fits: /"info"\s*:\s*\{[\s\S]{0,2000}(?:getpostman\.com|_postman_id)/,
  },
  {
    subject: 'it contains the headers without the body (a log of Apache HttpClient)',
    hint: 'log the bytes too: set the logger org.apache.hc.client5.http.wire (version 4: org.apache.http.wire) to DEBUG',
    fits: /(?:headers?\b[^\n"]{0,100}|^)>> [A-Z]{3,10} [^\s"]+ HTTP\/\d(?:\.\d)?\s*$/m,
  },
  {
    subject: 'it does not contain the sent bytes (a log of urllib3)',
    hint: 'set http.client.HTTPConnection.debuglevel = 1 before the request and copy all lines from send: on',
    fits: (text) =>
      /connectionpool\b[^\n]{0,300}"[A-Z]{3,10} [^\s"]+ HTTP\/[\d.]+" \d{3}/.test(text) &&
      !/\bsend: ?[bu]?['"]/.test(text),
  },
  {
    subject: 'it is the output of curl -v, which does not print the body',
    hint: 'run the command with --trace - instead of -v and pass the output (--trace-ascii keeps ASCII only), or pass the curl command itself',
    fits: (text) => /^[ \t]{0,8}> [A-Z]{3,10} \S+ HTTP\/\d/m.test(text) && /^\* /m.test(text),
  },
  {
    subject: 'its trace of curl is not complete: bytes of the request are missing',
    hint: 'copy the whole trace unchanged: an editor may have removed white space at line ends',
    fits: /=> Send (?:header|data), \d+ bytes? \(0x/,
  },
  {
    subject: 'it contains objects or texts that util.inspect (console.log) did not print in full',
    hint: 'print the whole error: console.log(JSON.stringify(error.toJSON()))',
    fits: /\w: \[(?:Object|Array|AxiosHeaders)\]|\.\.\. \d+ more (?:item|character|propert)/,
  },
  {
    subject: 'it contains bytes that util.inspect (console.log) cut off after 50',
    hint: `${AS_SENT}: console.log(buffer.toString())`,
    fits: /<Buffer (?:[\da-f]{2} ){2,60}\.\.\. \d+ more bytes>/,
  },
  {
    subject: 'it contains the name of an object in place of the body',
    hint: `${AS_SENT}: convert it to text, for example with JSON.stringify, or read the stream first`,
    fits: /\[object (?:Object|Promise|ReadableStream)\]|(?:body|payload|data)\W{1,4}(?:\[B@|[\w.$]{3,80}@)[\da-f]{5,8}\b/i,
  },
  ...NOTATIONS,
  {
    subject: 'it contains bytes compressed with gzip',
    hint: `${AS_SENT}, before it is compressed; or decompress it: base64 -d | gunzip`,
    fits: /H4sI[\w+/]{16}|\b1f[ :,]?8b[ :,]?08\b/,
  },
  {
    subject: 'it contains an octal dump (od)',
    hint: 'dump the bytes with xxd or hexdump -C',
    fits: /^\d{7}(?: {1,3}\S{1,3}){8,16}$/m,
  },
  {
    subject: 'the log masks the body',
    hint: 'log the body unmasked for one request, in a test environment',
    fits: /(?:body|payload|data|content)\W{1,4}(?:\*{3,}|\[(?:REDACTED|FILTERED|MASKED|OMITTED|HIDDEN)\b|<(?:redacted|omitted|hidden|masked))/i,
  },
];

const CUT =
  /\.\.\.\s*\(?\d+ (?:more )?(?:bytes|characters|chars)|[[(<]?truncated\b|…\s*$|\.{3}["']?\s*$/im;
const FIELD = /"(?:api_key|seq_id|nonce|sign)"\s*:/;

/** Texts without a better description. */
const GENERAL: readonly Refusal[] = [
  {
    subject: 'it contains a hex dump, but not the bytes of a whole signed request',
    hint: 'dump the whole packet from the request line on, in Wireshark with Follow, then HTTP Stream',
    fits: /^\W{0,3}(?:0x)?[\da-f]{4,8}[:|]?[ \t]{1,4}(?:[\da-f]{2} ?){4}/im,
  },
  {
    subject: 'its JSON is cut off, or is not JSON',
    hint: 'loggers cut long lines: raise the limit, and copy the whole line',
    fits: (text) =>
      /\{\s*"/.test(text) &&
      (CUT.test(text) || !hasJson(text) || (FIELD.test(text) && !hasWholeJson(text))),
  },
  {
    subject: 'it contains X-TMS-Sign, but the body that it signs was not found',
    hint: 'in a log, print the headers and the JSON body in one line; mop does not run programs: in Postman, choose Code, then cURL, and pass that command',
    fits: /x[-_]tms[-_]sign(?![-_])/i,
  },
  {
    subject: 'its field "sign" is not a string in a JSON body',
    hint: 'log the body as it was sent, with sign as a string',
    fits: (text) => /(["'])sign\1\s*:/.test(text) && hasJson(text),
  },
  {
    subject: 'it contains a urlencoded form; the platform takes JSON',
    hint: 'send the fields as a JSON object, with Content-Type: application/json; the signature can be verified in such an object',
    fits: /(?:^|[&?\s"'])sign=[\da-f]{32}\b/i,
  },
  {
    subject: 'it contains a response, not a request',
    hint: 'only requests are signed: log the request that was sent',
    fits: /^[<>]? ?HTTP\/\d(?:\.\d)? \d{3}/m,
  },
  {
    subject: 'the access log does not contain the body',
    hint: 'add $request_body to log_format of nginx, with escape=json; it is empty where nginx wrote the body to a file (client_body_buffer_size)',
    fits: /"POST (?:https?:\/)?\/[^\s"]{0,2000} HTTP\/[\d.]{1,3}" (?:\d{3} |["-])|^#Fields: /m,
  },
  {
    subject: 'it contains JSON, but no request with a signature: neither sign nor X-TMS-Sign',
    hint: 'log the whole body unchanged, and in header mode the headers in the same line',
    fits: (text) => (/sign|x-tms-/i.test(text) || FIELD.test(text)) && hasJson(text),
  },
];

/** Whether a text contains JSON with a field of the protocol: then its objects are not cut off. */
function hasWholeJson(text: string): boolean {
  for (const { text: json } of objectsIn(text)) if (FIELD.test(json)) return true;
  return false;
}

function hasJson(text: string): boolean {
  return !objectsIn(text).next().done;
}

export function refusal(
  texts: readonly string[],
  rows: 'specific' | 'general',
): ReturnType<typeof captureError> | undefined {
  for (const { subject, hint, fits } of rows === 'specific' ? SPECIFIC : GENERAL) {
    const isFit = (text: string) => (fits instanceof RegExp ? fits.test(text) : fits(text));
    if (texts.some(isFit)) return captureError('log', subject, hint);
  }
  return undefined;
}
