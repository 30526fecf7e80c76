import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/json/parse.ts';
import type { DiagnosisId } from '../../../src/signing/diagnosis/mistake.ts';
import { fieldText } from '../../../src/signing/diagnosis/print-style.ts';
import { checkRows } from '../../support/rows.ts';
import { bareRequest, rowsOfText, signerWith, withControls } from './support.ts';

/** Texts of other languages, by the programs that the tables name. */

/** The string before the secret, for a request with the text `a`. */
function signedText(id: DiagnosisId, end: string, text: string): string {
  const request = bareRequest(JSON.stringify({ a: text }));
  return signerWith(request, [[id, end]]).canonical.slice('a='.length);
}

/** The text of a nested value. */
function nestedText(end: string, json: string): string | undefined {
  const made = [['nested-flattened', `nested JSON was signed ${end}`]] as const;
  return fieldText(parseJson(json), signerWith(bareRequest('{"a":1}'), made).steps.style);
}

const RICH =
  '{"b":1,"a":"x y","n":null,"t":true,"f":false,"d":30.5,"l":[1,"two",null,true,[3,4],{"k":"v"}],"o":{"z":"中","e":"","q":"it\'s"},"e":{},"v":[]}';

it('nested JSON is printed as text by languages', () =>
  checkRows(
    // By Python 3.11 (`str(json.loads(text))`), Java 17 (a LinkedHashMap, a HashMap), Go 1.19
    // (`fmt.Sprint`) and Node 20. Not run: the rows of Groovy, Scala, Swift, Elixir, Dart and C#.
    rowsOfText(`
      as text by Python (str of a dict or list) | {'b': 1, 'a': 'x y', 'n': None, 't': True, 'f': False, 'd': 30.5, 'l': [1, 'two', None, True, [3, 4], {'k': 'v'}], 'o': {'z': '中', 'e': '', 'q': "it's"}, 'e': {}, 'v': []}
      as text by Java (toString of a map or list) | {b=1, a=x y, n=null, t=true, f=false, d=30.5, l=[1, two, null, true, [3, 4], {k=v}], o={z=中, e=, q=it's}, e={}, v=[]}
      as text by Java (toString of a HashMap) | {a=x y, b=1, t=true, d=30.5, e={}, f=false, v=[], l=[1, two, null, true, [3, 4], {k=v}], n=null, o={q=it's, e=, z=中}}
      as text by Go (%v of a map or slice) | map[a:x y b:1 d:30.5 e:map[] f:false l:[1 two <nil> true [3 4] map[k:v]] n:<nil> o:map[e: q:it's z:中] t:true v:[]]
      as text by Groovy (toString of a map) | [b:1, a:x y, n:null, t:true, f:false, d:30.5, l:[1, two, null, true, [3, 4], [k:v]], o:[z:中, e:, q:it's], e:[:], v:[]]
      as text by Scala (toString of a Map or List) | Map(b -> 1, a -> x y, n -> null, t -> true, f -> false, d -> 30.5, l -> List(1, two, null, true, List(3, 4), Map(k -> v)), o -> Map(z -> 中, e -> , q -> it's), e -> Map(), v -> List())
      as text by JavaScript ([object Object]) | [object Object]
      as text by PHP (Array) | Array
    `),
    ([title = '', expected]) => expect(nestedText(title, RICH)).toBe(expected),
  ));

it('smaller values are printed as text by languages', () =>
  checkRows(
    rowsOfText(String.raw`
      JavaScript ([object Object]) | [1,"two",null,true,[3,4],{"k":"v"}] | 1,two,,true,3,4,[object Object]
      JavaScript ([object Object]) | [[1,[2,null]],{},true,"a,b",1.50] | 1,2,,[object Object],true,a,b,1.5
      JavaScript ([object Object]) | [1e21,30.10,-0] | 1e+21,30.1,0
      Python (str of a dict or list) | ["it's"] | ["it's"]
      Python (str of a dict or list) | ["say \"x\""] | ['say "x"']
      Python (str of a dict or list) | ["both ' and \""] | ['both \' and "']
      Python (str of a dict or list) | ["back\\slash","line\nend\r\t"] | ['back\\slash', 'line\nend\r\t']
      Python (str of a dict or list) | ["bell\u0007 del\u007f nul\u0000"] | ['bell\x07 del\x7f nul\x00']
      Python (str of a dict or list) | ["é 中 😀","\u00a0 \u2028 \ufeff \ue000","\udb40\udc01"] | ['é 中 😀', '\xa0 \u2028 \ufeff \ue000', '\U000e0001']
      Java (toString of a HashMap) | {"l":[{"timestamp":1,"nonce":2,"api_key":3}]} | {l=[{api_key=3, nonce=2, timestamp=1}]}
      Ruby (inspect) | {"a":1,"b":[null,true,"x"]} | {"a"=>1, "b"=>[nil, true, "x"]}
      Ruby 3.4 (inspect) | {"a":1,"b":[null,true,"x"]} | {"a" => 1, "b" => [nil, true, "x"]}
      Ruby 3.4 (inspect with symbols) | {"a":{"b":1}} | {a: {b: 1}}
      Swift (description) | {"b":["c"],"d":{}} | ["b": ["c"], "d": [:]]
      Rust ({:?} of a serde_json value) | {"b":[1,null],"a":true} | Object {"a": Bool(true), "b": Array [Number(1), Null]}
      PHP (serialize) | {"b":[1,"é"],"a":null} | a:2:{s:1:"b";a:2:{i:0;i:1;i:1;s:2:"é";}s:1:"a";N;}
      Go (%+v of a struct) | {"B":1,"A":[null]} | {B:1 A:[<nil>]}
      C# (ToString of an anonymous type) | {"b":"x","c":null} | { b = x, c =  }
      Elixir (inspect) | {"b":[null]} | %{"b" => [nil]}
      Python (str of an OrderedDict) | {"a":1,"b":{"c":null},"e":{}} | OrderedDict([('a', 1), ('b', OrderedDict([('c', None)])), ('e', OrderedDict())])
      Python 3.12 (str of an OrderedDict) | {"a":1,"b":[true]} | OrderedDict({'a': 1, 'b': [True]})
      Go (%v of a pointer) | {"A":1,"B":{"C":"x"}} | &{1 {x}}
      Go (%+v of a pointer) | {"a_id":1,"b":null} | &{AId:1 B:<nil>}
      Go (%+v of a struct in PascalCase) | {"a_id":[1,2]} | {AId:[1 2]}
      Go (%#v of a map) | {"b":"x","a":[1,null]} | map[string]interface {}{"a":[]interface {}{1, interface {}(nil)}, "b":"x"}
      Node (util.inspect) | {"a":1,"b-c":"it's","l":[true,null],"e":{},"f":[]} | { a: 1, 'b-c': "it's", l: [ true, null ], e: {}, f: [] }
      Clojure (pr-str) | {"a":1,"b":["x",null],"e":{}} | {:a 1, :b ["x" nil], :e {}}
      Erlang (~p) | {"b":"x","a":[1,true]} | #{<<"a">> => [1,true],<<"b">> => <<"x">>}
      Erlang (~p, with atoms) | {"a":"x","b":1} | #{a => <<"x">>,b => 1}
      PowerShell | {"a":1,"b":"x","c":true,"d":null} | @{a=1; b=x; c=True; d=}
      PHP (print_r) | {"a":1,"b":{"c":"x"},"l":[true,null]} | Array␊(␊    [a] => 1␊    [b] => Array␊        (␊            [c] => x␊        )␊␊    [l] => Array␊        (␊            [0] => 1␊            [1] => ␊        )␊␊)␊
    `),
    ([language = '', json = '', expected = '']) =>
      expect(nestedText(`as text by ${language}`, json)).toBe(withControls(expected)),
  ));

it('a printer of a language uses the number style and the member order of the signer', () => {
  const python = [
    ['number-reformatted', 'numbers were signed as Python prints them'],
    ['nested-key-order', 'the names inside nested JSON were sorted'],
    ['nested-flattened', 'nested JSON was signed as text by Python (str of a dict or list)'],
  ] as const;
  expect(signerWith(bareRequest('{"o":{"b":[1e16,-0.0],"a":30.10}}'), python).canonical).toBe(
    "o={'a': 30.1, 'b': [1e+16, -0.0]}",
  );
});

/**
 * By `json.dumps(…, ensure_ascii=False)` of Python 3.11, `json.dumps(…, indent=…)`,
 * `JSON.stringify(…, null, …)`, JSON_PRETTY_PRINT of PHP, `json.MarshalIndent` of Go, Gson, and
 * `writerWithDefaultPrettyPrinter()` of Jackson 2.17. `␊` is a line feed, `␉` a tab, `␍` a carriage return.
 */
it('nested JSON is laid out by languages', () =>
  checkRows(
    rowsOfText(`
      with ", " and ": " (json.dumps of Python) | {"b":[1,"two",[],{},{"k":null}],"a":{"x":true,"y":"中/"}} | {"b": [1, "two", [], {}, {"k": null}], "a": {"x": true, "y": "中/"}}
      indented by 2 | {"b":[1,[],{},{"k":null}]} | {␊  "b": [␊    1,␊    [],␊    {},␊    {␊      "k": null␊    }␊  ]␊}
      indented by 4 | {"a":{"x":[true]},"v":[]} | {␊    "a": {␊        "x": [␊            true␊        ]␊    },␊    "v": []␊}
      indented by tabs | {"a":{"x":1}} | {␊␉"a": {␊␉␉"x": 1␊␉}␊}
      indented by 2, Windows line ends | [1,{"a":2}] | [␍␊  1,␍␊  {␍␊    "a": 2␍␊  }␍␊]
      indented as by Jackson | {"b":[1,"two",[],{},{"k":null}],"a":{"x":true},"e":{}} | {␊  "b" : [ 1, "two", [ ], { }, {␊    "k" : null␊  } ],␊  "a" : {␊    "x" : true␊  },␊  "e" : { }␊}
      indented as by Jackson | [[1,[2,{"a":[{"b":1},{}]}]],{"c":[[]]}] | [ [ 1, [ 2, {␊  "a" : [ {␊    "b" : 1␊  }, { } ]␊} ] ], {␊  "c" : [ [ ] ]␊} ]
      indented as by Jackson | [] | [ ]
    `),
    ([end, json = '', expected = '']) => {
      const made = [['nested-spacing', `nested JSON was signed ${end}`]] as const;
      const { style } = signerWith(bareRequest('{"a":1}'), made).steps;
      expect(fieldText(parseJson(json), style)).toBe(withControls(expected));
    },
  ));

const NESTED = '{"x":1,"o":{"z":"中","i":{"k":true}},"l":[7,{"k":null},[false]],"e":{},"v":[]}';

// The second by PHP 8.2: `http_build_query(json_decode($json, true))`, decoded.
it('nested JSON is split into fields', () =>
  checkRows(
    rowsOfText(`
      a[b]=, a[0]= (qs of JavaScript) | x=1 o[z]=中 o[i][k]=true l[0]=7 l[1][k]=null l[2][0]=false
      a[b]=, a[0]=, true as 1 (http_build_query of PHP) | x=1 o[z]=中 o[i][k]=1 l[0]=7 l[2][0]=0
      a.b=, a[0]= | x=1 o.z=中 o.i.k=true l[0]=7 l[1].k=null l[2][0]=false
      a.b=, a.0= | x=1 o.z=中 o.i.k=true l.0=7 l.1.k=null l.2.0=false
      a[b]=, a[]= (to_query of Ruby) | x=1 o[z]=中 o[i][k]=true l[]=7 l[][k]=null l[][]=false
      a[b]=, a= for each item | x=1 o[z]=中 o[i][k]=true l=7 l[k]=null l=false
      a.b=, a= for each item | x=1 o.z=中 o.i.k=true l=7 l.k=null l=false
      a_b=, a_0= | x=1 o_z=中 o_i_k=true l_0=7 l_1_k=null l_2_0=false
      b=, a= for each item, without the outer name | x=1 z=中 k=true l=7 k=null l=false
      a= for each item, objects as empty text (querystring of JavaScript) | x=1 o= l=7 l= l=false e=
    `),
    ([title, expected]) => {
      const end = `nested JSON was split into separate fields: ${title}`;
      const signer = signerWith(bareRequest(NESTED), [['nested-flattened', end]]);
      // Null is left out of the pairs.
      const { pairs } = signer.withStyle({ nullText: 'null' });
      const ordered = pairs.toSorted((a, b) => a.position - b.position);
      const text = ordered.map(({ name, value }) => `${name}=${value}`).join(' ');
      expect(text).toBe(expected);
    },
  ));

/**
 * By Python 3.11, PHP 8.2, Go 1.19 and Gson 2.10, each made to print compactly: `json.dumps`,
 * `json_encode` without and with flags, `json.Marshal`, `new Gson().toJson`.
 */
it('nested JSON is escaped by languages', () => {
  const request = bareRequest(`{"o":${JSON.stringify({ y: '中/é<&>\'" +`=😀\u2028' })}}`);
  const SLASHES = 'with "\\/" for "/"';
  return checkRows(
    rowsOfText(String.raw`
      with \u escapes for all characters outside ASCII | | \u4e2d/\u00e9<&>'\" +${'`'}=\ud83d\ude00\u2028
      with \u escapes for all characters outside ASCII | ${SLASHES} | \u4e2d\/\u00e9<&>'\" +${'`'}=\ud83d\ude00\u2028
      with \u2028 and \u2029 for line ends of Unicode (JSON_UNESCAPED_UNICODE of PHP) | | 中/é<&>'\" +${'`'}=😀\u2028
      with \u2028 and \u2029 for line ends of Unicode (JSON_UNESCAPED_UNICODE of PHP) | ${SLASHES} | 中\/é<&>'\" +${'`'}=😀\u2028
      with \u003c, \u003e and \u0026 (encoding/json of Go) | | 中/é\u003c\u0026\u003e'\" +${'`'}=😀\u2028
      with \u003c, \u003e, \u0026, \u003d and \u0027 (Gson of Java) | | 中/é\u003c\u0026\u003e\u0027\" +${'`'}\u003d😀\u2028
    `),
    ([unicode, slash, expected]) => {
      const made: (readonly [DiagnosisId, string])[] = [
        ['nested-escaped-unicode', `nested JSON was signed ${unicode}`],
      ];
      if (slash) made.push(['nested-escaped-slash', `nested JSON was signed ${slash}`]);
      expect(signerWith(request, made).canonical).toBe(`o={"y":"${expected}"}`);
    },
  );
});

/** By Java 17: the keys put into a `new HashMap<String, Integer>()` one by one, then its keySet(). */
describe('the order of a Java HashMap', () => {
  const order = (keys: readonly string[]): string => {
    const json = `{"o":{${keys.map((key) => `${JSON.stringify(key)}:0`).join()}}}`;
    const made = [['nested-key-order', 'in the order of a Java HashMap']] as const;
    const { canonical } = signerWith(bareRequest(json), made);
    return canonical.slice('o={"'.length, -'":0}'.length).replaceAll('":0,"', ' ');
  };

  it.each([
    ['api_key seq_id timestamp nonce bill_date', 'api_key bill_date seq_id nonce timestamp'],
    // Keys of the same hash code keep their order, also when the table grows.
    ['BB x Aa AaBB BBAa AaAa BBBB C# q', 'BB Aa C# q x AaBB BBAa AaAa BBBB'],
    ['Aa BB x', 'Aa BB x'],
    [
      'k1 Aa k2 BB k3 k4 k5 k6 k7 k8 k9 k10 k11 AaAa BBBB BBAa',
      'Aa BB k1 k2 k3 k4 k5 k11 k6 k10 k7 k8 k9 AaAa BBBB BBAa',
    ],
    ['城市 é 😀  Z', ' 😀 é Z 城市'],
  ])('%s', (keys, expected) => {
    expect(order(keys.split(' '))).toBe(expected);
  });

  // Sixteen buckets hold 12 keys, 32 hold 24, 64 hold 48.
  it.each([
    [12, '0 3 10 4 11 1 2 7 8 5 6 9'],
    [13, '0 3 10 4 11 1 12 2 7 8 5 6 9'],
    [24, '0 20 3 10 21 4 11 22 1 12 23 2 13 14 15 16 17 18 19 7 8 5 6 9'],
    [25, '0 20 3 21 4 22 1 23 2 24 7 8 5 6 9 10 11 12 13 14 15 16 17 18 19'],
    [
      50,
      '0 20 3 21 4 22 1 23 2 24 25 26 27 28 29 7 8 5 6 9 10 11 12 13 14 15 16 17 18 19 40 41 42 43 44 45 46 47 48 49 30 31 32 33 34 35 36 37 38 39',
    ],
  ])('%i keys', (count, expected) => {
    const keys = Array.from({ length: count }, (_, index) => `field_${index}`);
    expect(order(keys)).toBe(expected.replace(/\d+/g, 'field_$&'));
  });
});

const PRINTABLE = Array.from({ length: 0x7f - 0x20 }, (_, index) =>
  String.fromCharCode(0x20 + index),
).join('');
const TEXT = `${PRINTABLE}\n中é😀`;

/**
 * {@link TEXT} by Node 20, PHP 8.2, Python 3.11, Go 1.19 and Java 17: the ranges of printable ASCII
 * before the digits, between digits, upper case and lower case, and after them.
 */
it('texts are percent-encoded by languages', () =>
  checkRows(
    rowsOfText(`
      encodeURIComponent of JavaScript | %20!%22%23%24%25%26'()*%2B%2C-.%2F | %3A%3B%3C%3D%3E%3F%40 | %5B%5C%5D%5E_%60 | %7B%7C%7D~
      RFC 3986 (rawurlencode of PHP) | %20%21%22%23%24%25%26%27%28%29%2A%2B%2C-.%2F | %3A%3B%3C%3D%3E%3F%40 | %5B%5C%5D%5E_%60 | %7B%7C%7D~
      quote of Python | %20%21%22%23%24%25%26%27%28%29%2A%2B%2C-./ | %3A%3B%3C%3D%3E%3F%40 | %5B%5C%5D%5E_%60 | %7B%7C%7D~
      quote_plus of Python (QueryEscape of Go) | +%21%22%23%24%25%26%27%28%29%2A%2B%2C-.%2F | %3A%3B%3C%3D%3E%3F%40 | %5B%5C%5D%5E_%60 | %7B%7C%7D~
      urlencode of PHP | +%21%22%23%24%25%26%27%28%29%2A%2B%2C-.%2F | %3A%3B%3C%3D%3E%3F%40 | %5B%5C%5D%5E_%60 | %7B%7C%7D%7E
      URLEncoder of Java, URLSearchParams of JavaScript | +%21%22%23%24%25%26%27%28%29*%2B%2C-.%2F | %3A%3B%3C%3D%3E%3F%40 | %5B%5C%5D%5E_%60 | %7B%7C%7D%7E
      encodeURI of JavaScript | %20!%22#$%25&'()*+,-./ | :;%3C=%3E?@ | %5B%5C%5D%5E_%60 | %7B%7C%7D~
    `),
    ([name, before, middle, between, behind]) => {
      const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
      const expected = `${before}0123456789${middle}${upper}${between}${upper.toLowerCase()}${behind}%0A%E4%B8%AD%C3%A9%F0%9F%98%80`;
      const title = `the values were percent-encoded (${name})`;
      expect(signedText('value-url-encoded', title, TEXT)).toBe(expected);
      if (name?.startsWith('encodeURI ')) return;
      const back = 'before they were percent-encoded';
      expect(signedText('value-url-encoded', back, expected)).toBe(TEXT);
    },
  ));

it('other texts are encoded or decoded', () =>
  checkRows(
    // Not run: after the documentation of HttpUtility.UrlEncode, of RFC 3986 and of lodash.escape.
    // HTML by PHP 8.2 (htmlspecialchars, ENT_COMPAT, ENT_NOQUOTES, ENT_XML1), Python 3.11, Go 1.19.
    // Pages by html.unescape of Python 3.11, which follows the HTML standard as browsers do.
    rowsOfText(`
      value-url-encoded | the values were percent-encoded (UrlEncode of .NET) | a b/!*()'~中 | a+b%2f!*()%27%7e%e4%b8%ad
      value-url-encoded | the values were percent-encoded (RFC 3986 in lower case) | a b/!*()'~中 | a%20b%2f%21%2a%28%29%27~%e4%b8%ad
      value-url-encoded | before they were percent-encoded | a+b%2B%E4%B8%AD%e4%b8%ad | a b+中中
      value-url-encoded | before they were percent-encoded | 50%+10 | 50%+10
      value-url-encoded | before they were percent-encoded | %BA%BC | %BA%BC
      html-entities | the values were escaped for HTML (& < > and quotes (htmlspecialchars of PHP)) | "<'&amp;>é | &quot;&lt;&#039;&amp;amp;&gt;é
      html-entities | the values were escaped for HTML (& < > " ' (html.escape of Python)) | "' | &quot;&#x27;
      html-entities | the values were escaped for HTML (& < > " ' (Go's template.HTMLEscapeString)) | "' | &#34;&#39;
      html-entities | the values were escaped for HTML (& < > " ' (XML)) | "' | &quot;&apos;
      html-entities | the values were escaped for HTML (& < > ") | "' | &quot;'
      html-entities | the values were escaped for HTML (& < >) | "'<&> | "'&lt;&amp;&gt;
      html-entities | the values were escaped for HTML (& < > " ' (JavaScript libraries)) | "' | &quot;&#39;
      html-entities | before they were escaped for HTML | &#039;&#39;&#x27;&apos;&#34;&#x22;&quot; | ''''"""
      html-entities | before they were escaped for HTML | &lt;b&gt; &amp; &AMP; &amp;lt; a&b=1 &amp | <b> & & &lt; a&b=1 &amp
      html-entities | before they were escaped for HTML | &nbsp; &eacute; &#20013; | &nbsp; &eacute; &#20013;
      html-entities | (&timestamp as ×tamp) | 1&notify=1&copy=1&region=2&section=3 | 1¬ify=1©=1®ion=2§ion=3
      html-entities | (&timestamp as ×tamp) | &params=1&current=2&center=3&yen=1&degree=2&micro=1 | ¶ms=1¤t=2¢er=3¥=1°ree=2µ=1
      html-entities | (&timestamp as ×tamp) | &divide&pound&eth&uml&amp;x&lt;y&gt;&quot;&lt=1 | ÷£ð¨&x<y>"<=1
      html-entities | (&timestamp as ×tamp) | &parameter=1&amount=2&nonce=1&order_id=1&seq_id | ¶meter=1&amount=2&nonce=1&order_id=1&seq_id
    `),
    ([id, end = '', text = '', expected]) =>
      expect(signedText(id as DiagnosisId, end, text)).toBe(expected),
  ));

/** The signed bytes of a text, as hex. */
function bytesOf(id: DiagnosisId, end: string, text: string): string {
  const { encode } = signerWith(bareRequest('{"a":"é"}'), [[id, end]]).steps;
  return Buffer.from(encode(text)).toString('hex');
}

/**
 * By `getBytes` of Java 17 with GBK, ISO_8859_1 and US_ASCII; `encode(…, 'replace')` of Python 3.11
 * gives the same, but for `€` in GBK.
 */
it('texts are encoded in GBK, Latin-1 and ASCII', () =>
  checkRows(
    rowsOfText(`
      a=1&b=x | 613d3126623d78 | 613d3126623d78 | 613d3126623d78
      杭州市 | babcd6ddcad0 | 3f3f3f | 3f3f3f
      丂繁 | 8140b7b1 | 3f3f | 3f3f
      é | a8a6 | e9 | 3f
      αжあ | a6c1a7d8a4a2 | 3f3f3f | 3f3f3f
      “” | a1b0a1b1 | 3f3f | 3f3f
      ·—… | a1a4a1aaa1ad | b73f3f | 3f3f3f
      Ⅰⅰ | a2f1a2a1 | 3f3f | 3f3f
      €5 | a2e335 | 3f35 | 3f35
      ¥ | 3f | a5 | 3f
      😀 | 3f | 3f | 3f
      aé中😀b | 61a8a6d6d03f62 | 61e93f3f62 | 613f3f3f62
    `),
    ([text = '', gbk, latin1, ascii]) => {
      expect(bytesOf('charset-gbk', 'in GBK', text)).toBe(gbk);
      expect(bytesOf('charset-latin1', 'encoded in Latin-1', text)).toBe(latin1);
      expect(bytesOf('charset-latin1', 'encoded in ASCII', text)).toBe(ascii);
    },
  ));

it('texts are encoded in other ways', () =>
  checkRows(
    rowsOfText(`
      charset-gbk | in GB18030 | 杭😀 | babc9439fc36
      charset-gbk | UTF-8 was decoded as GBK and encoded again | 杭州 | e98f89efbfbde5aeb8efbfbd
      charset-latin1 | in Latin-1, with "?" for each half of a surrogate pair | é😀 | e93f3f
      charset-latin1 | UTF-8 was decoded as Latin-1 and encoded again | é | c383c2a9
      encoding-other | encoded in Windows-1252 | €‚Ÿé杭 | 80829fe93f
      encoding-other | UTF-8 was decoded as Windows-1252 and encoded again | 杭 | c3a6c29dc2ad
      encoding-other | in Big5 | 杭é | aa433f
      encoding-other | in UTF-16, little-endian | a😀 | 61003dd800de
      encoding-other | in UTF-16, big-endian with a byte order mark | a | feff0061
      encoding-other | in UTF-32, little-endian | 😀 | 00f60100
      encoding-other | a byte order mark preceded the string | a | efbbbf61
      encoding-other | characters that are not ASCII were dropped | a杭 | 61
      encoding-other | (CESU-8) | 杭😀 | e69dadeda0bdedb880
      encoding-other | characters beyond U+FFFF became "??" | a😀 | 613f3f
      encoding-other | the low byte of each UTF-16 code unit was signed | 杭 | 6d
      encoding-other | the string was signed as hex | é | 63336139
      encoding-other | the string was signed as hex in upper case | é | 43334139
      encoding-other | the string was signed as Base64 | é | 77366b3d
      encoding-other | the whole string was signed in lower case | A | 61
    `),
    ([id, end = '', text = '', hex]) => expect(bytesOf(id as DiagnosisId, end, text)).toBe(hex),
  ));

it.each([
  ['gbk', 'charset-gbk', 'in GBK'],
  ['big5', 'encoding-other', 'in Big5'],
] as const)('every character of %s is encoded to bytes that decode to it', (charset, id, end) => {
  const decoder = new TextDecoder(charset);
  const characters = new Set<string>();
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      const text = decoder.decode(Uint8Array.of(lead, trail));
      if (Array.from(text).length === 1 && text !== '\ufffd') characters.add(text);
    }
  }
  expect(characters.size).toBeGreaterThan(13_000);
  const text = [...characters].join('\n');
  const bytes = Buffer.from(bytesOf(id, end, text), 'hex');
  expect(decoder.decode(bytes)).toBe(text);
});

it('a percent-encoding uses the charset of the signer', () => {
  // By `URLEncoder.encode(text, "GBK")` of Java.
  const made = [
    [
      'value-url-encoded',
      'the values were percent-encoded (URLEncoder of Java, URLSearchParams of JavaScript)',
    ],
    ['charset-gbk', 'in GBK'],
  ] as const;
  const signer = signerWith(bareRequest('{"a":"杭州 é/~"}'), made);
  expect(signer.canonical).toBe('a=%BA%BC%D6%DD+%A8%A6%2F%7E');
});
