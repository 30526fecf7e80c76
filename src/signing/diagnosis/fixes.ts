import type { DiagnosisId, Evidence, Variant } from './mistake.ts';

/** The correction of each mistake, and the switch of each language that makes it. */

const SORT = 'sort by field name, character by character: digits, upper case, "_", lower case';
const MD5 = 'take the plain MD5 of the string followed by the secret, as 32 upper-case hex digits';
const UTF_8 = 'take the MD5 of the bytes of the string in UTF-8';
const JOIN = 'join the pairs as name=value with "&" between them, and add nothing else';

export const FIXES: { readonly [id in DiagnosisId]: string } = {
  'secret-whitespace':
    'use exactly the characters of the api secret, without white space, quotes or a byte order mark',
  'secret-other-profile':
    'sign with the secret that was issued together with the api_key of the request',
  'secret-joined': 'append the api secret directly to the sorted pairs, with nothing in between',
  'secret-sorted-in':
    'append the api secret directly to the sorted pairs, with nothing in between; it is not a field',
  'null-included':
    'in body mode, leave out a field that is null; in header mode, sign it as an empty value, or as the reading null-in-header requires',
  'empty-dropped': 'sign every field that is sent, also if its value is empty, zero or false',
  'sort-unsorted': SORT,
  'sort-case-insensitive': SORT,
  'sort-locale': `${SORT}; not by a locale`,
  'sign-included': 'remove the signature from the fields before signing',
  'field-missing': 'sign every field that is sent',
  'hex-lowercase': 'send the 32 hex digits of the MD5 in upper case',
  'digest-hmac-md5': MD5,
  'digest-other': MD5,
  'wrong-scheme':
    'sign by the rules of the address: under /open/v1 the fields of the body, under /api/open the X-TMS-* headers and the fields of the body',
  'charset-gbk': UTF_8,
  'charset-latin1': UTF_8,
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
  'pairs-joined': JOIN,
  'values-only': JOIN,
  'names-changed': 'sign every field under exactly the name that is sent',
  'fields-stale':
    'read the clock and generate seq_id and nonce once, and send exactly the values that you sign',
  'field-extra': 'sign only the fields that are sent, or send every field that is signed',
  'value-reformatted': 'sign every text with exactly the characters that are sent',
  'encoding-other': UTF_8,
  'signature-format': 'send the 32 hex digits of the MD5 in upper case, and nothing else',
  'whole-body': 'sign the sorted name=value pairs of the fields, not the JSON text of the body',
};

/** How a language is recognised: in the title of a mistake, and in the User-Agent of the request. */
const LANGUAGES: readonly (readonly [language: string, title: RegExp, agent: RegExp])[] = [
  ['Python', /python|json\.dumps/i, /python|aiohttp|httpx/i],
  ['PHP', /php/i, /guzzle|php/i],
  ['Go', /\bGo\b|omitempty/, /go-http-client|go-resty/i],
  ['C#', /\.NET|C#/, /\.NET|RestSharp/i],
  ['JavaScript', /javascript|\bNode\b|localeCompare/i, /axios|node|undici|mozilla|postman/i],
  [
    'Java',
    /java(?!script)|gson|jackson|fastjson|lombok|BigDecimal/i,
    /okhttp|\bjava|apache-http|dalvik/i,
  ],
  ['Kotlin', /kotlin/i, /ktor/i],
  ['Dart', /\bdart\b/i, /dart|dio\b/i],
  ['Swift', /swift/i, /CFNetwork|alamofire|darwin/i],
  ['Ruby', /ruby/i, /ruby|faraday/i],
  ['Rust', /rust/i, /reqwest/i],
  ['Erlang', /erlang|elixir/i, /hackney|gun\b|tesla|mint/i],
  ['Lua', /\blua\b/i, /lua/i],
];

/** The switch of a language; a pattern limits it to some titles. */
type Switch = readonly [language: string, fix: string, title?: RegExp];

const SORTED_BY_CODE: readonly Switch[] = [
  ['PHP', 'ksort($fields, SORT_STRING), without SORT_FLAG_CASE or SORT_LOCALE_STRING'],
  ['C#', 'StringComparer.Ordinal'],
];
const IN_UTF_8: readonly Switch[] = [
  ['Java', 'text.getBytes(StandardCharsets.UTF_8)'],
  ['C#', 'Encoding.UTF8.GetBytes(text)'],
  ['Python', "text.encode('utf-8')"],
  ['JavaScript', "crypto.createHash('md5').update(text, 'utf8')"],
];

const UPPER_CASE: readonly Switch[] = [
  ['JavaScript', ".digest('hex').toUpperCase(), CryptoJS.MD5(text).toString().toUpperCase()"],
  ['Java', 'DigestUtils.md5Hex(text).toUpperCase(), or String.format("%02X", b) for each byte'],
  ['Python', '.hexdigest().upper()'],
  ['PHP', 'strtoupper(md5($text))'],
  ['Go', 'fmt.Sprintf("%X", sum)'],
  ['C#', 'Convert.ToHexString(hash), or b.ToString("X2") for each byte'],
  ['Kotlin', '"%02X".format(b) for each byte'],
  ['Swift', 'String(format: "%02X", b) for each byte'],
  ['Ruby', '.hexdigest.upcase'],
  ['Rust', 'format!("{:X}", hash)'],
  ['Dart', 'md5.convert(bytes).toString().toUpperCase()'],
  ['Erlang', 'Base.encode16(hash), binary:encode_hex(Hash)'],
  ['Lua', 'md5.sumhexa(text):upper()'],
];

const SWITCHES: { readonly [id in DiagnosisId]?: readonly Switch[] } = {
  'nested-escaped-unicode': [
    ['Java', 'new GsonBuilder().disableHtmlEscaping().create()', /u003/],
    ['Java', 'disable JsonWriteFeature.ESCAPE_NON_ASCII', /outside ASCII/],
    ['Python', 'json.dumps(…, ensure_ascii=False)', /outside ASCII/],
    ['PHP', 'json_encode(…, JSON_UNESCAPED_UNICODE)', /outside ASCII/],
    ['PHP', 'add JSON_UNESCAPED_LINE_TERMINATORS', /u2028/],
    ['Go', 'encoder.SetEscapeHTML(false), and cut the line end that Encode appends', /u003/],
    ['C#', 'JavaScriptEncoder.UnsafeRelaxedJsonEscaping', /ASCII|case/],
  ],
  'nested-escaped-slash': [
    ['PHP', 'json_encode(…, JSON_UNESCAPED_SLASHES)'],
    ['Swift', 'JSONSerialization or JSONEncoder with .withoutEscapingSlashes'],
    ['Lua', 'cjson.encode_escape_forward_slash(false)'],
  ],
  'nested-spacing': [
    ['Python', "json.dumps(…, separators=(',', ':'))", /json\.dumps/],
    ['JavaScript', 'JSON.stringify(value) without a third argument', /indented/],
    ['C#', 'Formatting.None, or WriteIndented = false', /indented/],
    ['Java', 'disable SerializationFeature.INDENT_OUTPUT', /indented/],
    ['PHP', 'json_encode without JSON_PRETTY_PRINT', /indented/],
    ['Go', 'json.Marshal, not json.MarshalIndent', /indented/],
  ],
  'nested-key-order': [
    ['Java', 'LinkedHashMap, not HashMap'],
    ['Python', 'json.dumps without sort_keys=True', /sorted/],
    ['Go', 'sign the bytes that json.Marshal returned, and send them', /sorted/],
    ['Swift', 'encode once, then sign and send the same data'],
  ],
  'nested-flattened': [
    ['Python', "json.dumps(value, ensure_ascii=False, separators=(',', ':'))", /as text/],
    ['JavaScript', 'JSON.stringify(value)'],
    ['Java', 'objectMapper.writeValueAsString(value), not toString()', /as text/],
    ['Kotlin', 'Json.encodeToString(value), not toString()', /as text/],
    ['Go', 'json.Marshal(value), not fmt.Sprint(value)', /as text/],
    [
      'PHP',
      'json_encode($value, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES)',
      /http_build|Array|serialize/,
    ],
    ['Ruby', 'JSON.generate(value), not to_s', /as text/],
    ['C#', 'JsonSerializer.Serialize with UnsafeRelaxedJsonEscaping, not ToString()', /C#|type/],
    ['Rust', 'serde_json::to_string(&value), not {:?}', /as text/],
    ['Erlang', 'Jason.encode!(value), json:encode(Value), not inspect or ~p', /as text/],
    ['Dart', 'jsonEncode(value), not toString()', /as text/],
  ],
  'number-reformatted': [
    ['PHP', "ini_set('serialize_precision', -1)", /old PHP/],
    ['PHP', 'sign and send one text of json_encode, or keep the number as text'],
    ['Go', 'decoder.UseNumber(), and sign json.Number'],
    ['Java', 'read BigDecimal and sign toPlainString()', /^(?!.*(?:toPlainString|Optional|comma))/],
    ['Java', 'send the text of toPlainString() too', /toPlainString/],
    ['Java', 'optional.get(), not toString()', /Optional/],
    ['Python', 'json.loads(…, parse_float=str, parse_int=str)'],
    ['JavaScript', 'sign and send one text of JSON.stringify; keep numbers above 2^53 as text'],
    ['C#', 'number.ToString(CultureInfo.InvariantCulture)', /comma/],
    ['C#', 'sign and send one text, such as element.GetRawText() or a decimal', /^(?!.*comma)/],
    ['Java', 'String.format(Locale.ROOT, …)', /comma/],
    ['Dart', 'keep the number as text, or print it once and send that text'],
    ['Erlang', 'float_to_binary(F, [short])'],
    ['Lua', 'keep the number as text'],
    ['Swift', 'unwrap the optional before signing', /Optional/],
  ],
  'boolean-reformatted': [
    ['Python', "'true' if value else 'false', or json.dumps(value)"],
    ['C#', 'value.ToString().ToLowerInvariant()'],
    ['PHP', "$value ? 'true' : 'false', or json_encode($value)"],
    ['Ruby', 'value.to_s'],
    ['Swift', 'unwrap the optional before signing', /Optional/],
  ],
  'string-quoted': [
    ['Swift', 'unwrap the optional before signing', /Optional/],
    ['Rust', 'value.as_str(), not {:?}', /Rust|Some|String\(/],
    ['Rust', 'value.as_str(), not value.to_string()', /JSON/],
    ['Java', 'node.asText(), not node.toString()', /JSON/],
    ['Python', 'sign the text itself, not json.dumps(text)', /JSON/],
    ['PHP', 'sign the text itself, not json_encode($text)', /JSON/],
    ['JavaScript', 'sign the text itself, not JSON.stringify(text)', /JSON/],
  ],
  'value-reformatted': [
    ['Java', 'optional.orElse(""), not toString()', /Optional/],
    ['Swift', 'unwrap the optional before signing', /Optional/],
    ['Rust', 'unwrap the option before signing', /Some\(/],
  ],
  'value-url-encoded': [
    ['PHP', 'join the pairs yourself; urldecode(http_build_query(…)) changes null and booleans'],
    ['Python', "join the pairs with '&'.join, not urlencode"],
    ['JavaScript', 'join the pairs yourself, not with URLSearchParams or querystring'],
    ['Java', 'join the pairs without URLEncoder'],
    ['Go', 'join the pairs yourself, not with url.Values.Encode'],
  ],
  'sort-case-insensitive': [
    ...SORTED_BY_CODE,
    ['Java', 'new TreeMap<>(), without CASE_INSENSITIVE_ORDER'],
  ],
  'sort-locale': [['JavaScript', 'names.sort(), without localeCompare'], ...SORTED_BY_CODE],
  'charset-gbk': IN_UTF_8,
  'charset-latin1': IN_UTF_8,
  'hex-lowercase': UPPER_CASE,
  'signature-format': [
    ['Java', 'String.format("%02X", b & 0xff) for each byte', /ffffff|leading zero/i],
    ...UPPER_CASE,
  ],
};

/** The languages that are listed when the language is unknown. */
const MAX_LISTED = 4;
/** Mistakes with a plain fix, which names a language only if the language is known. */
const PLAIN: readonly DiagnosisId[] = ['hex-lowercase', 'signature-format'];

/**
 * The correction of a mistake, with the switches of the language that the User-Agent of the request or
 * the title shows; without one, those for this title, then those of the usual languages.
 *
 * @param lost The right pairs of fields that were not signed.
 */
export function fixOf(
  { id, title, fix = FIXES[id] }: Variant,
  { request }: Evidence,
  lost: readonly string[],
): string {
  if (id === 'empty-dropped' && lost.length > 0) return `${fix}: ${lost.join(', ')}`;
  const fitting = (SWITCHES[id] ?? [])
    .filter(([, , pattern]) => pattern?.test(title) ?? true)
    .sort(([, , a], [, , b]) => Number(b !== undefined) - Number(a !== undefined));
  const agent = request.headers?.find(([name]) => /^user-agent$/i.test(name))?.[1] ?? '';
  const ofAgent = LANGUAGES.filter(([, , pattern]) => pattern.test(agent));
  const ofTitle = LANGUAGES.filter(([, pattern]) => pattern.test(title));
  const inLanguages = (languages: typeof LANGUAGES): readonly Switch[] =>
    fitting.filter(([language]) => languages.some(([known]) => known === language));
  const listed =
    [inLanguages(ofAgent), inLanguages(ofTitle)].find((own) => own.length > 0) ??
    (ofTitle.length > 0 || PLAIN.includes(id) ? [] : fitting.slice(0, MAX_LISTED));
  const switches = listed.map(([language, change]) => `${language}: ${change}`);
  return [fix, ...switches].join('; ');
}
