import type { DiagnosisId, Evidence, Variant } from './mistake.ts';

/** The correction of each mistake, and the switch of each language that makes it. */

const SORT_FIX = 'sort by field name, character by character: digits, upper case, "_", lower case';

export const FIXES: { readonly [id in DiagnosisId]: string } = {
  'secret-whitespace':
    'use exactly the characters of the api secret: no white space, quotes or mark around them',
  'secret-other-profile':
    'sign with the secret that was issued together with the api_key of the request',
  'secret-joined': 'append the api secret directly to the sorted pairs, with nothing in between',
  'secret-sorted-in':
    'append the api secret directly to the sorted pairs, with nothing in between; it is not a field',
  'null-included':
    'in body mode, leave out a field that is null; in header mode, sign it as an empty value, or as the reading null-in-header requires',
  'empty-dropped': 'sign every field that is sent, also if its value is empty, zero or false',
  'sort-unsorted': SORT_FIX,
  'sort-case-insensitive': SORT_FIX,
  'sort-locale': `${SORT_FIX}; not by a locale`,
  'sign-included': 'remove the signature from the fields before signing',
  'field-missing': 'sign every field that is sent',
  'hex-lowercase': 'send the 32 hex digits of the MD5 in upper case',
  'digest-hmac-md5':
    'take the plain MD5 of the string followed by the secret, as 32 upper-case hex digits',
  'digest-other':
    'take the plain MD5 of the string followed by the secret, as 32 upper-case hex digits',
  'wrong-scheme':
    'sign by the rules of the address: under /open/v1 the fields of the body, under /api/open the X-TMS-* headers and the fields of the body',
  'charset-gbk': 'take the MD5 of the bytes of the string in UTF-8',
  'charset-latin1': 'take the MD5 of the bytes of the string in UTF-8',
  'value-url-encoded': 'sign the values of the JSON without percent-encoding',
  'number-reformatted': 'sign numbers with the characters that they have in the JSON that is sent',
  'boolean-reformatted': 'sign booleans as true and false',
  'nested-spacing':
    'sign nested JSON in the form in which it is sent: compact, without white space',
  'nested-key-order': 'sign nested JSON with its names in the order in which they are sent',
  'nested-flattened': 'sign an object or a list as one field, with its JSON text as the value',
  'nested-escaped-unicode': 'sign characters unescaped, without \\u escapes',
  'nested-escaped-slash': 'sign "/" unescaped, not as "\\/"',
  'string-quoted': 'sign the characters of a text, without quotes and without escapes',
  'unicode-form':
    'sign the characters that are sent: normalize before you build the body, or not at all',
  'newline-style': 'sign the line ends that are sent',
  'header-name-case':
    'sign the names of headers as the documents spell them, such as X-TMS-Api-Key, and send that spelling if the client can',
  'header-unsigned':
    'sign every X-TMS-* header that is sent, except X-TMS-Sign, and send every header that is signed',
  'multipart-file-included': 'sign only the text fields of a form, not its files',
  'html-entities': 'sign the text without HTML entities',
  version: 'send and sign X-TMS-Sign-Ver: 2.0',
  'pairs-joined': 'join the pairs as name=value with "&" between them, and add nothing else',
  'values-only': 'join the pairs as name=value with "&" between them, and add nothing else',
  'names-changed': 'sign every field under exactly the name that is sent',
  'fields-stale':
    'read the clock and generate seq_id and nonce once, and send exactly the values that you sign',
  'field-extra': 'sign only the fields that are sent, or send every field that is signed',
  'value-reformatted': 'sign every text with exactly the characters that are sent',
  'encoding-other': 'take the MD5 of the bytes of the string in UTF-8',
  'signature-format': 'send the 32 hex digits of the MD5 in upper case, and nothing else',
  'whole-body': 'sign the sorted name=value pairs of the fields, not the JSON text of the body',
};

/** How a language is recognised: in the title of a mistake, and in the User-Agent of the request. */
const LANGUAGES: readonly (readonly [language: string, title: RegExp, agent: RegExp])[] = [
  ['Python', /python|json\.dumps/i, /python|aiohttp|httpx/i],
  ['PHP', /php/i, /guzzle|php/i],
  ['Go', /\bGo\b|omitempty/, /go-http-client|go-resty/i],
  ['C#', /\.NET|C#|spreadsheets/, /\.NET|RestSharp/i],
  ['JavaScript', /javascript|\bNode\b|localeCompare/i, /axios|node|undici|mozilla|postman/i],
  [
    'Java',
    /java(?!script)|gson|jackson|fastjson|lombok|BigDecimal/i,
    /okhttp|\bjava|apache-http|dalvik/i,
  ],
  ['Kotlin', /kotlin/i, /ktor/i],
  ['Swift', /swift/i, /CFNetwork|alamofire|darwin/i],
  ['Ruby', /ruby/i, /ruby|faraday/i],
  ['Rust', /rust/i, /reqwest/i],
  ['Erlang', /erlang|elixir/i, /hackney|gun\b|tesla|mint/i],
  ['Lua', /\blua\b/i, /lua/i],
];

/** The switch of a language against a mistake; a pattern limits it to some titles of the id. */
const SWITCHES: readonly (readonly [
  id: DiagnosisId,
  language: string,
  fix: string,
  title?: RegExp,
])[] = [
  ['nested-escaped-unicode', 'Java', 'new GsonBuilder().disableHtmlEscaping()', /u003/],
  ['nested-escaped-unicode', 'Java', 'disable JsonWriteFeature.ESCAPE_NON_ASCII', /outside ASCII/],
  ['nested-escaped-unicode', 'Python', 'json.dumps(…, ensure_ascii=False)', /outside ASCII/],
  [
    'nested-escaped-unicode',
    'PHP',
    'json_encode(…, JSON_UNESCAPED_UNICODE)',
    /outside ASCII|u2028/,
  ],
  ['nested-escaped-unicode', 'Go', 'encoder.SetEscapeHTML(false)', /u003/],
  ['nested-escaped-unicode', 'C#', 'JavaScriptEncoder.UnsafeRelaxedJsonEscaping', /ASCII|case/],
  ['nested-escaped-slash', 'PHP', 'json_encode(…, JSON_UNESCAPED_SLASHES)'],
  ['nested-escaped-slash', 'Swift', 'JSONSerialization options: .withoutEscapingSlashes'],
  ['nested-escaped-slash', 'Lua', 'cjson.encode_escape_forward_slash(false)'],
  ['nested-spacing', 'Python', "json.dumps(…, separators=(',', ':'))", /json\.dumps/],
  ['nested-spacing', 'JavaScript', 'JSON.stringify(value) without a third argument', /indented/],
  ['nested-spacing', 'C#', 'Formatting.None, or WriteIndented = false', /indented/],
  ['nested-spacing', 'Java', 'disable SerializationFeature.INDENT_OUTPUT', /indented/],
  ['nested-spacing', 'PHP', 'json_encode without JSON_PRETTY_PRINT', /indented/],
  ['nested-spacing', 'Go', 'json.Marshal, not json.MarshalIndent', /indented/],
  ['nested-key-order', 'Java', 'LinkedHashMap, not HashMap'],
  ['nested-key-order', 'Python', 'json.dumps without sort_keys=True', /sorted/],
  ['nested-key-order', 'Go', 'sign the bytes that json.Marshal returned, and send them', /sorted/],
  ['nested-key-order', 'Swift', 'encode once, then sign and send the same data'],
  ['nested-flattened', 'Python', 'json.dumps(value), not str(value)', /as text/],
  ['nested-flattened', 'JavaScript', 'JSON.stringify(value)'],
  ['nested-flattened', 'Java', 'objectMapper.writeValueAsString(value), not toString()', /as text/],
  ['nested-flattened', 'Kotlin', 'Json.encodeToString(value), not toString()', /as text/],
  ['nested-flattened', 'Go', 'json.Marshal(value), not fmt.Sprint(value)', /as text/],
  ['nested-flattened', 'PHP', 'json_encode($value), not http_build_query', /http_build|Array/],
  ['nested-flattened', 'Ruby', 'JSON.generate(value), not to_s', /as text/],
  ['nested-flattened', 'C#', 'JsonSerializer.Serialize(value), not ToString()', /C#|type/],
  ['nested-flattened', 'Rust', 'serde_json::to_string(&value), not {:?}', /as text/],
  ['number-reformatted', 'PHP', "ini_set('serialize_precision', -1), or keep the number as text"],
  ['number-reformatted', 'Go', 'decoder.UseNumber(), and sign json.Number'],
  ['number-reformatted', 'Java', 'read BigDecimal and sign toPlainString()'],
  ['number-reformatted', 'Python', 'json.loads(…, parse_float=str, parse_int=str)'],
  [
    'number-reformatted',
    'JavaScript',
    'sign and send one text of JSON.stringify; keep numbers above 2^53 as text',
  ],
  ['number-reformatted', 'C#', 'number.ToString(CultureInfo.InvariantCulture)'],
  ['number-reformatted', 'Erlang', 'float_to_binary(F, [short])'],
  ['number-reformatted', 'Lua', 'keep the number as text'],
  ['number-reformatted', 'Swift', 'unwrap the optional before signing', /Optional/],
  ['boolean-reformatted', 'Python', "'true' if value else 'false', or json.dumps(value)"],
  ['boolean-reformatted', 'C#', 'value.ToString().ToLowerInvariant()'],
  ['boolean-reformatted', 'PHP', "$value ? 'true' : 'false', or json_encode($value)"],
  ['boolean-reformatted', 'Ruby', 'value.to_s'],
  ['string-quoted', 'Swift', 'unwrap the optional before signing', /Optional/],
  ['string-quoted', 'Rust', 'value.as_str(), not {:?}', /Rust|Some|String\(/],
  ['string-quoted', 'Java', 'optional.orElse(""), not toString()', /Optional/],
  ['string-quoted', 'Python', 'sign the text itself, not json.dumps(text)', /JSON/],
  ['string-quoted', 'JavaScript', 'sign the text itself, not JSON.stringify(text)', /JSON/],
  ['value-reformatted', 'Java', 'optional.orElse(""), not toString()', /Optional/],
  ['value-reformatted', 'Rust', 'unwrap the option before signing', /Some\(/],
  [
    'value-url-encoded',
    'PHP',
    'urldecode(http_build_query(…)) is not enough: join the pairs yourself',
  ],
  ['value-url-encoded', 'Python', "join the pairs with '&'.join, not urlencode"],
  [
    'value-url-encoded',
    'JavaScript',
    'join the pairs yourself, not with URLSearchParams or querystring',
  ],
  ['value-url-encoded', 'Java', 'join the pairs without URLEncoder'],
  ['value-url-encoded', 'Go', 'join the pairs yourself, not with url.Values.Encode'],
  ['sort-case-insensitive', 'PHP', 'ksort($fields, SORT_STRING), without SORT_FLAG_CASE'],
  ['sort-case-insensitive', 'C#', 'StringComparer.Ordinal'],
  ['sort-case-insensitive', 'Java', 'new TreeMap<>(), without CASE_INSENSITIVE_ORDER'],
  ['sort-locale', 'JavaScript', 'names.sort(), without localeCompare'],
  ['sort-locale', 'C#', 'StringComparer.Ordinal'],
  ['sort-locale', 'PHP', 'ksort($fields, SORT_STRING)'],
  ['charset-gbk', 'Java', 'text.getBytes(StandardCharsets.UTF_8)'],
  ['charset-gbk', 'C#', 'Encoding.UTF8.GetBytes(text)'],
  ['charset-gbk', 'Python', "text.encode('utf-8')"],
  ['charset-latin1', 'Java', 'text.getBytes(StandardCharsets.UTF_8)'],
  ['charset-latin1', 'C#', 'Encoding.UTF8.GetBytes(text), not Encoding.ASCII'],
  ['charset-latin1', 'JavaScript', "crypto.createHash('md5').update(text, 'utf8')"],
];

/** The languages that are listed when the language is unknown. */
const MAX_LISTED = 4;

/**
 * The correction of a mistake, with the switches of the language that the User-Agent of the request or
 * the title shows; without one, those of the usual languages.
 *
 * @param lost The right pairs of fields that were not signed.
 */
export function fixOf(
  { id, title, fix = FIXES[id] }: Variant,
  { request }: Evidence,
  lost: readonly string[],
): string {
  if (id === 'empty-dropped' && lost.length > 0) return `${fix}: ${lost.join(', ')}`;
  const fitting = SWITCHES.filter(
    ([of, , , pattern]) => of === id && (pattern?.test(title) ?? true),
  );
  const agent = request.headers?.find(([name]) => /^user-agent$/i.test(name))?.[1] ?? '';
  const ofAgent = LANGUAGES.filter(([, , pattern]) => pattern.test(agent));
  const ofTitle = LANGUAGES.filter(([, pattern]) => pattern.test(title));
  const inLanguages = (languages: typeof LANGUAGES): typeof fitting =>
    fitting.filter(([, language]) => languages.some(([known]) => known === language));
  const listed =
    [inLanguages(ofAgent), inLanguages(ofTitle)].find((own) => own.length > 0) ??
    (ofTitle.length > 0 ? [] : fitting.slice(0, MAX_LISTED));
  const switches = listed.map(([, language, change]) => `${language}: ${change}`);
  return [fix, ...switches].join('; ');
}
