import { expect, it } from 'vitest';
import type { DiagnosisId } from '../../../src/signing/diagnosis/mistake.ts';
import { checkRows } from '../../support/rows.ts';
import { credentials } from '../helpers.ts';
import {
  bareRequest,
  bodyRequest,
  caseOf,
  headerRequest,
  rowsOfText,
  signerWith,
  withControls,
} from './support.ts';

/**
 * For each mistake: the end of its title, the fields of a request, and the string that is signed. `§`
 * is the secret; without it, the string before the secret is compared. `␊` is a line feed, `␠` a space.
 */
const ROWS: Readonly<Partial<Record<DiagnosisId, string>>> = {
  'field-missing': `
    b was not signed | {"a":1,"b":2} | a=1
    lists and objects were not signed | {"a":[],"b":{},"c":1} | c=1
    fields that are not text were not signed | {"a":1,"b":true,"c":"x"} | c=x
    the common fields were not signed | {"a":1,"nonce":"n"} | a=1
    the business fields were not signed | {"a":1,"nonce":"n"} | nonce=n
  `,
  'sign-included': `
    as empty text | {"a":1,"z":2} | a=1&sign=&z=2
    as "null" | {"a":1} | a=1&sign=null
    as two quotes | {"a":1} | a=1&sign=""
  `,
  'empty-dropped': `
    fields with an empty value were left out | {"b":"","a":1} | a=1
    fields that JavaScript treats as false were left out | {"b":false,"c":0,"d":[],"a":1} | a=1&d=[]
    fields that Go omits as empty (omitempty) were left out | {"b":"0","c":0,"d":[],"e":{}} | b=0
    fields that PHP treats as empty were left out | {"b":"0","c":0,"d":[],"e":{},"a":1} | a=1
    fields that are zero were left out | {"a":0.0,"b":"0"} | b=0
    nulls inside nested JSON were left out | {"a":{"b":null,"c":[null]}} | a={"c":[null]}
    nulls and empty texts inside nested JSON were left out | {"a":{"b":"","n":null,"c":1},"d":""} | a={"c":1}&d=
    nulls and empty texts were left out, inside nested JSON too | {"a":{"b":"","c":1},"d":""} | a={"c":1}
  `,
  'null-included': `
    as "null" | {"b":null,"a":1} | a=1&b=null
    as empty text | {"b":null,"a":1} | a=1&b=
    as "None" | {"b":null,"a":[null]} | a=[null]&b=None
  `,
  'field-extra': `
    sign_type=MD5 was signed, but not sent | {"a":1} | a=1&sign_type=MD5
    sign_type=MD5 was signed, but not sent | {"sign_type":"RSA"} | sign_type=RSA
    sign_method=md5, format=json, v=2.0 were signed, but not sent | {"a":1} | a=1&format=json&sign_method=md5&v=2.0
    every field was signed twice | {"b":1,"a":2} | a=2&a=2&b=1&b=1
    the common fields were signed twice | {"a":2,"nonce":"n"} | a=2&nonce=n&nonce=n
  `,
  'fields-stale': `
    timestamp was signed as "1795132800000", in milliseconds, but sent as "1795132800" | {"timestamp":1795132800} | timestamp=1795132800000
    in microseconds, but sent as "1795132800" | {"timestamp":1795132800} | timestamp=1795132800000000
    1 s later, but sent as "1795132800" | {"timestamp":1795132800} | timestamp=1795132801
    8 hours earlier, but sent as "1795132800" | {"timestamp":1795132800} | timestamp=1795104000
    timestamp was signed as "1795132801234", in milliseconds, but sent as "1795132800" | {"timestamp":1795132800} | timestamp=1795132801234
    timestamp was signed as "1795132800321", 198 ms later, but sent as "1795132800123" | {"timestamp":1795132800123} | timestamp=1795132800321
    in seconds, but sent as "1795132800123" | {"timestamp":1795132800123} | timestamp=1795132800
    in seconds, but sent as "1795132800123456789" | {"timestamp":1795132800123456789} | timestamp=1795132800
    as yyyyMMddHHmmss in UTC+8, but sent as "1795132800" | {"timestamp":1795132800} | timestamp=20261120080000
    cut to 8 characters, but sent as "abcdefghij" | {"nonce":"abcdefghij"} | nonce=abcdefgh
    nonce was signed as "AB-C", in upper case, but sent as "ab-c" | {"nonce":"ab-c"} | nonce=AB-C
    "", before it was generated, but sent as "x" | {"nonce":"x"} | nonce=
    the value of seq_id without dashes, but sent as "x" | {"nonce":"x","seq_id":"a-b"} | nonce=ab&seq_id=a-b
    "{{nonce}}", a placeholder, but sent as "x" | {"nonce":"x"} | nonce={{nonce}}
    "$seqId", a placeholder, but sent as "x" | {"seq_id":"x"} | seq_id=$seqId
    timestamp, nonce were signed as {{…}}, placeholders that were not replaced | {"timestamp":1,"nonce":"n"} | nonce={{nonce}}&timestamp={{timestamp}}
  `,
  'names-changed': `
    the names of all fields were signed in camelCase | {"api_key":"k","b_c":1} | apiKey=k&bC=1
    the names of the common fields were signed in upper case | {"api_key":"k","b_c":1} | API_KEY=k&b_c=1
    api_key was signed under the name appKey | {"api_key":"k","b":1} | appKey=k&b=1
    b_c was signed under the name bC | {"a_a":1,"b_c":1} | a_a=1&bC=1
    the names of all fields were signed as data[…] | {"a":1,"b":2} | data[a]=1&data[b]=2
  `,
  'unicode-form': `
    NFC | {"a":"e\u0301","b":["e\u0301"]} | a=é&b=["é"]
    NFKC | {"a":"ﬁ"} | a=fi
  `,
  'newline-style': String.raw`
    as CR LF | {"a":"x\ny"} | a=x␍␊y
    a line end at the end of texts was dropped | {"a":"x\ny\n"} | a=x␊y
    line ends were left out | {"a":"x\r\ny"} | a=xy
    as the two characters \n | {"a":"x\ny"} | a=x\ny
    as "<br />\n" | {"a":"x\ny"} | a=x<br />␊y
  `,
  'value-reformatted': String.raw`
    texts were signed without the white space around them | {"a":" x ","b":["y "]} | a=x&b=["y "]
    texts, those inside nested JSON too, were signed without the white space around them | {"a":" x ","b":["y "]} | a=x&b=["y"]
    texts were signed in lower case | {"a":"Xy","b":["Y"]} | a=xy&b=["Y"]
    texts were signed with the escapes of JSON | {"a":"x\"y\n"} | a=x\"y\n
    texts were signed with their escapes read (\n as a line end) | {"a":"x\\ny\\"} | a=x\ny\
    texts were signed with a space for "+" (a "+" in a query is read as a space) | {"a":"x+y"} | a=x y
    texts were signed without characters of zero width | {"a":"x\u200by❤\ufe0f"} | a=xy❤
    texts were signed without their country code | {"a":"+86 13800000000"} | a=13800000000
    texts were signed with "*" for the middle digits | {"a":"13812345678"} | a=138****5678
    texts were signed with "/" between year, month and day | {"a":"2026-01-02","b":"2026-01-02 03:04"} | a=2026/01/02&b=2026/01/02 03:04
    texts were signed with their JSON printed as by json.dumps of Python | {"a":"{\"b\":[1,2]}","c":"{"} | a={"b": [1, 2]}&c={
    texts were signed as Base64 | {"a":"é"} | a=w6k=
    texts were signed as Base64 with a line end after it | {"a":"é"} | a=w6k=␊
    texts were signed as hex | {"a":"é"} | a=c3a9
    texts were signed as Optional[…] of Java | {"a":"x","b":1} | a=Optional[x]&b=1
    texts were signed as Some(…) of Scala or Rust | {"a":"x"} | a=Some(x)
    texts of Base64 were signed with "\n" every 64 characters | {"a":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"} | a=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA␊AAAA
    texts of Base64 were signed with "\r\n" every 76 characters and at the end | {"a":"AAAAAAAAAAAAAAAAAAAAAAAA","b":"word"} | a=AAAAAAAAAAAAAAAAAAAAAAAA␍␊&b=word
    texts were signed without leading zeros | {"a":"007","b":"+1","c":"x1"} | a=7&b=1&c=x1
    texts were signed with 2 decimals, parsed as numbers | {"a":"10.5","b":"x","c":1.5} | a=10.50&b=x&c=1.5
    the values were signed as […] of Go or Java | {"a":"x","b":1} | a=[x]&b=[1]
    values that are not text were signed as empty text | {"a":1,"b":[2],"c":"x"} | a=&b=&c=x
    dates were signed as yyyy-MM-dd HH:mm:ss | {"a":"2026-01-02T03:04:05Z"} | a=2026-01-02 03:04:05
    dates were signed as yyyy/MM/dd HH:mm:ss in UTC+8 | {"a":"2026-01-02T03:04:05Z"} | a=2026/01/02 11:04:05
    dates were signed as EEE MMM dd yyyy HH:mm:ss GMT+0000 (Coordinated Universal Time) in UTC | {"a":"2026-03-04T05:06:07+08:00"} | a=Tue Mar 03 2026 21:06:07 GMT+0000 (Coordinated Universal Time)
    a was signed as "null", not as its value | {"a":1,"b":"x"} | a=null&b=x
    a was signed as empty text, not as its value | {"a":1,"b":"x"} | a=&b=x
    user_id was signed as "{{user_id}}", not as the value of its variable | {"user_id":"7"} | user_id={{user_id}}
    user_id was signed as "{{ userId }}", not as the value of its variable | {"user_id":"7"} | user_id={{ userId }}
    user_id was signed as "#{user_id}", not as the value of its variable | {"user_id":"7"} | user_id=#{user_id}
  `,
  'number-reformatted': `
    numbers were signed as JavaScript prints them | {"a":30.10,"b":[1.0]} | a=30.1&b=[1]
    numbers outside nested JSON were signed as JavaScript prints them | {"a":1.0,"b":[1.0]} | a=1&b=[1.0]
    numbers inside nested JSON were signed as JavaScript prints them | {"a":1.0,"b":[1.0]} | a=1.0&b=[1]
    numbers were signed as Java prints a Double | {"a":1,"b":1e7} | a=1.0&b=1.0E7
    numbers were signed as Java prints a Double, except integers | {"a":1,"b":1e7} | a=1&b=1.0E7
    numbers were signed as Java prints a Double, only integers | {"a":3,"b":3.50} | a=3.0&b=3.50
    numbers were signed as empty text if they are 0 (JavaScript) | {"a":0,"b":3} | a=&b=3
  `,
  'boolean-reformatted': `
    booleans were signed as True and False | {"a":true,"b":[false]} | a=True&b=[False]
    booleans outside nested JSON were signed as True and False | {"a":true,"b":[false]} | a=True&b=[false]
    booleans were signed as 1 and empty text | {"a":true,"b":false} | a=1&b=
    booleans were signed as Optional[true] and Optional[false] | {"a":true} | a=Optional[true]
    booleans were signed as Some(true) and Some(false) | {"a":true} | a=Some(true)
  `,
  'string-quoted': String.raw`
    as JSON | {"a":"x\"y","b":1} | a="x\"y"&b=1
    in single quotes | {"a":"x","b":["y"]} | a='x'&b=["y"]
    as JSON with \u escapes and "\/" (json_encode of PHP) | {"a":"é/"} | a="\u00e9\/"
    as Optional("…") of Swift | {"a":"x"} | a=Optional("x")
    as Some("…") of Rust | {"a":"x"} | a=Some("x")
    as <<"…">> of Erlang | {"a":"x"} | a=<<"x">>
    as b'…' of Python | {"a":"x"} | a=b'x'
    the values were signed as ['…'] of Python | {"a":"x","b":1} | a=['x']&b=['1']
    the values were signed as ('…',) of Python | {"a":"x"} | a=('x',)
  `,
  'html-entities': `
    the values were escaped for HTML (& < > " ' (html.escape of Python)) | {"a":"<'>"} | a=&lt;&#x27;&gt;
    the whole string was escaped for HTML (& < >) | {"a":"x","b":"y"} | a=x&amp;b=y
    (&timestamp as ×tamp) | {"a":"x","timestamp":1} | a=x×tamp=1
    the values were escaped for HTML (numeric references) | {"a":"西😀"} | a=&#35199;&#128512;
    before they were escaped for HTML | {"a":"x &lt; y"} | a=x < y
  `,
  'value-url-encoded': `
    the values were percent-encoded (quote of Python) | {"a":"x /"} | a=x%20/
    the values were percent-encoded (escape of JavaScript) | {"a":"é 杭"} | a=%E9%20%u676D
    the values were percent-encoded twice (quote of Python) | {"a":"x /"} | a=x%2520/
    the whole string was percent-encoded (encodeURIComponent of JavaScript) | {"a":"x"} | a%3Dx
    names and values were percent-encoded (RFC 3986 (rawurlencode of PHP)) | {"a b":{"b":1}} | a%20b=%7B%22b%22%3A1%7D
    before they were percent-encoded | {"a":"x%20y"} | a=x y
  `,
  'nested-flattened': `
    nested JSON was signed with [] for {} (an empty array of PHP) | {"a":{"b":{}}} | a={"b":[]}
    with an outer list of one item as that item | {"a":[7]} | a=7
    with lists as objects, "0" for the first item (an array of PHP) | {"a":["x"]} | a={"0":"x"}
    nested JSON, except lists, was split into separate fields: a[b]=, a[0]= (qs of JavaScript) | {"a":[1],"o":{"k":[1]}} | a=[1]&o[k]=[1]
    fields, after sorting: a[b]=, a[0]= (qs of JavaScript) | {"a_b":1,"a":{"b":2}} | a[b]=2&a_b=1
    l was split into separate fields: a[b]=, a[]= (to_query of Ruby) | {"l":[1],"o":{"k":2}} | l[]=1&o={"k":2}
    nested JSON was signed with numbers as texts | {"a":{"b":1}} | a={"b":"1"}
    nested JSON was signed as Base64 of its JSON | {"a":{"b":1}} | a=eyJiIjoxfQ==
    nested JSON was signed as JSON text in JSON | {"a":{"b":1}} | a="{\\"b\\":1}"
    nested JSON was signed as Some(…) of Scala or Rust | {"a":{"b":1}} | a=Some({"b":1})
    by Kotlin or Lombok (toString) | {"stops":[{"lat":1,"city_name":"x"}],"o":{"k":null}} | o=O(k=null)&stops=[Stop(lat=1, cityName=x)]
    by Java, a record (toString) | {"my_point":{"x":1.5,"sub":{"y":true}}} | my_point=MyPoint[x=1.5, sub=Sub[y=true]]
    by Java, a class (toString) | {"point":{"name":"x"}} | point=Point{name='x'}
    by C#, a record (ToString) | {"order":{"id":1,"name":null,"ok":true}} | order=Order { id = 1, name = , ok = True }
    by C#, a record in PascalCase (ToString) | {"order":{"id":1}} | order=Order { Id = 1 }
    by Swift, a struct | {"order":{"id":1,"full_name":"x"}} | order=Order(id: 1, fullName: "x")
    by Rust, a struct ({:?}) | {"order":{"id":1,"name":"x","n":null}} | order=Order { id: 1, name: "x", n: None }
    by Python, a dataclass | {"order":{"id":1,"name":"x"}} | order=Order(id=1, name='x')
    by Python, a pydantic model | {"order":{"id":1,"sub":{"a":null}}} | order=id=1 sub=Sub(a=None)
    by Scala, a case class | {"order":{"id":1,"ids":[1,2]}} | order=Order(1,List(1, 2))
    by Go (%#v of a struct) | {"order":{"id":1,"name":"x"}} | order=main.Order{Id:1, Name:"x"}
    by Kotlin or Lombok (toString), …DTO | {"orders":[{"id":1}]} | orders=[OrderDTO(id=1)]
    by Java, a record (toString), …Request | {"order":{"id":1}} | order=OrderRequest[id=1]
    by Rust, a struct ({:?}), …Info | {"order":{"id":1}} | order=OrderInfo { id: 1 }
    lists were signed as the values inside, joined with "," | {"a":["x",[true]],"b":{"c":1}} | a=x,true&b={"c":1}
  `,
  'nested-key-order': `
    sorted | {"a":{"c":1,"B":2,"b":{"z":1,"y":2}}} | a={"B":2,"b":{"y":2,"z":1},"c":1}
    integers first | {"a":{"b":1,"10":2,"9":3,"01":4}} | a={"9":3,"10":2,"b":1,"01":4}
    in the order c, a, b | {"o":[{"a":1,"b":2,"c":3}],"p":{"a":1}} | o=[{"c":3,"a":1,"b":2}]&p={"a":1}
  `,
  'nested-spacing': `
    nested JSON was signed with ", " and ": " (json.dumps of Python) | {"a":{"b":[1,2]}} | a={"b": [1, 2]}
    nested JSON was signed indented by 2 | {"a":{"b":[1]}} | a={␊  "b": [␊    1␊  ]␊}
    lists were signed with ", " and ": " (json.dumps of Python) | {"a":[1,2],"b":{"c":1}} | a=[1, 2]&b={"c":1}
    with the characters that were sent | {"a":{ "b" :1}} | a={ "b" :1}
  `,
  'nested-escaped-unicode': String.raw`
    texts and nested JSON were signed with \u escapes for all characters outside ASCII | {"a":"中","o":["中"]} | a=\u4e2d&o=["\u4e2d"]
    texts were signed with \u escapes for all characters outside ASCII | {"a":"中","o":["中"]} | a=\u4e2d&o=["中"]
    nested JSON was signed with \u escapes in upper case | {"a":"é","o":["é"]} | a=é&o=["\u00E9"]
  `,
  'sort-unsorted': `
    in the order of the request | {"b":1,"a":2} | b=1&a=2
    descending order | {"a":2,"b":1} | b=1&a=2
    HashMap | {"nonce":1,"api_key":2} | api_key=2&nonce=1
    as name=value, not by name | {"a":1,"a1":2} | a1=2&a=1
    by value | {"a":2,"b":1} | b=1&a=2
    by code points | {"😀":1,"ﬁ":2} | ﬁ=2&😀=1
    in the order common fields, business fields | {"b":1,"seq_id":1,"a":2,"nonce":2} | seq_id=1&nonce=2&b=1&a=2
    separately: common fields, business fields | {"b":1,"seq_id":1,"a":2,"nonce":2} | nonce=2&seq_id=1&a=2&b=1
    in the order c, a, b | {"a":1,"b":2,"c":3} | c=3&a=1&b=2
    in the order f, e, a, b, c, d | {"a":1,"b":2,"c":3,"d":4,"e":5,"f":6} | f=6&e=5&a=1&b=2&c=3&d=4
  `,
  'sort-case-insensitive': `
    without regard to case | {"B":1,"a":2} | a=2&B=1
    by upper-cased name | {"a_b":1,"aC":2} | aC=2&a_b=1
  `,
  'sort-locale': `
    (localeCompare) | {"B":1,"a":2,"A":3} | a=2&A=3&B=1
    upper case first | {"B":1,"a":2,"A":3} | A=3&a=2&B=1
    by their value | {"a10":1,"a9":2} | a9=2&a10=1
  `,
  'pairs-joined': String.raw`
    with nothing between them | {"a":1,"b":2} | a=1b=2
    the pairs were joined with ":" after the names | {"a":1,"b":2} | a:1&b:2
    with "," between them and ": " after the names | {"a":1,"b":2} | a: 1,b: 2
    "\n" after each of them | {"a":1,"b":2} | a=1␊b=2␊
    (toString of a Java map) | {"a":1,"b":2} | {a=1, b=2}
    (toString of a Java list) | {"a":1,"b":2} | [a=1, b=2]
    with maps in it) | {"b":{"c":[1]},"a":"x"} | {a=x, b={c=[1]}}
    (JSON of a map of texts) | {"a":1,"b":"x"} | {"a":"1","b":"x"}
    (JSON of sorted entries) | {"a":1,"b":"x"} | [["a","1"],["b","x"]]
    (inspect of a sorted hash in Ruby) | {"b":[1,null],"a":"x"} | {"a"=>"x", "b"=>[1, nil]}
    (inspect of sorted pairs in Ruby 3.4) | {"b":{"c":1},"a":"x"} | [["a", "x"], ["b", {"c" => 1}]]
    (str of a sorted dict in Python) | {"b":[1.50,null],"a":"it's"} | {'a': "it's", 'b': [1.5, None]}
    the joined pairs were replaced by "[object Object]" | {"a":1} | [object Object]§
    the joined pairs were replaced by empty text | {"a":1} | §
    signed without their last character | {"a":1,"b":"xy"} | a=1&b=x
    signed without their first character | {"a":1} | =1
    sorted again | {"u":"?b=1&a=2"} | a=2&u=?b=1
    without "&" between the business fields and the others | {"b":1,"nonce":"n"} | b=1nonce=n
    as Python prints the bytes of the pairs | {"a":"é"} | b'a=\xc3\xa9'§
    as Python prints its bytes | {"a":"é"} | b'a=\xc3\xa9§'
    the joined pairs were signed in double quotes | {"a":"x"} | "a=x"
    (Alibaba Cloud) | {"a":"x y"} | POST&%2F&a%3Dx%20y
    the pairs were preceded by "POST", with "\n" between | {"a":1} | POST␊a=1
  `,
  'values-only': `
    the values were joined without their names | {"a":"y","b":"x"} | yx
    the values were sorted and joined without their names | {"a":"y","b":"x"} | xy
    the names were joined without their values | {"a":"y","b":"x"} | a&b
    the api secret, nonce, timestamp, with "." between | {"timestamp":17,"nonce":"n","a":1} | §.n.17
    sorted together and joined without names | {"a":"y","b":"!"} | !§y
  `,
  'whole-body': `
    instead of the pairs, in the order of the request | {"b":1,"a":[null]} | {"b":1,"a":[null]}
    instead of the pairs, sorted by name | {"b":1,"a":[null]} | {"a":[null],"b":1}
    instead of the pairs, sorted by name, without null | {"b":null,"a":1} | {"a":1}
    instead of the pairs, in the order of the request, with ", " and ": " (json.dumps of Python) | {"b":1,"a":"é"} | {"b": 1, "a": "é"}
    instead of the pairs, sorted by name outside nested JSON | {"b":1,"a":[{"d":1,"c":2}]} | {"a":[{"d":1,"c":2}],"b":1}
    instead of the pairs, sorted by name, nested names filtered by the same list (JSON.stringify) | {"b":{"c":1,"a":2},"a":"x"} | {"a":"x","b":{"a":2}}
    instead of the pairs, as Base64 | {"a":1} | eyJhIjoxfQ==
    in biz_content=, in the order of the request | {"api_key":"k","c":1,"a":"x"} | api_key=k&biz_content={"c":1,"a":"x"}
  `,
  'secret-whitespace': `
    with a line end appended | {"a":1} | a=1§␊
    in double quotes | {"a":1} | a=1"§"
  `,
  'secret-other-profile': `
    profile other | {"a":1} | a=1another secret
  `,
  'secret-joined': `
    after "&key=" instead of directly | {"a":1} | a=1&key=§
    after "&apiSecret=" instead of directly | {"a":1} | a=1&apiSecret=§
    after "&sign_key=" instead of directly | {"a":1} | a=1&sign_key=§
    after "&signSecret=" instead of directly | {"a":1} | a=1&signSecret=§
    the signed string was <secret><pairs>, not <pairs><secret> | {"a":1} | §a=1
    the signed string was <secret>&<pairs>, not <pairs><secret> | {"a":1} | §&a=1
    the signed string was secret=<secret>&<pairs>, not <pairs><secret> | {"a":1} | secret=§&a=1
    the signed string was <secret><pairs><secret>, not <pairs><secret> | {"a":1} | §a=1§
    left out | {"a":1} | a=1
    without its last character | {"a":1} | a=10123456789abcdef0123456789abcde
    used in upper case | {"a":1} | a=10123456789ABCDEF0123456789ABCDEF
    replaced by the api_key | {"api_key":"k"} | api_key=kk
    the signed string was <api_key><pairs><secret>, not <pairs><secret> | {"api_key":"k"} | kapi_key=k§
    the signed string was <md5_of_secret><pairs>, not <pairs><secret> | {"a":1} | 8516ac99dc60603295de7bdb6a153530a=1
  `,
  'secret-sorted-in': `
    as key | {"z":1} | key=§&z=1
    as apiSecret | {"z":1} | apiSecret=§&z=1
    as sign_key | {"z":1} | sign_key=§&z=1
    as key, and appended too | {"z":1} | key=§&z=1§
  `,
  'digest-other': `
    the MD5 of the pairs in lower case and the secret | {"a":1} | 3872c9ae3f427af0be0ead09d07ae2cf§
  `,
};

const { secret } = credentials;
it.each(Object.entries(ROWS))('%s signs another string', (id, text) =>
  checkRows(rowsOfText(text), ([end = '', json = '', expected = '']) => {
    const signature = id === 'digest-other' ? 'A'.repeat(32) : undefined;
    const made = [[id as DiagnosisId, end]] as const;
    const { message, canonical } = signerWith(bareRequest(json), made, signature);
    const isWhole = expected.includes('§') || id.startsWith('secret-');
    const signed = withControls(expected).replaceAll('§', secret);
    expect(isWhole ? message : canonical).toBe(signed);
  }),
);

it('a request in header mode signs another string', () => {
  const request = headerRequest('{"b":null}', { timestamp: '1', seqId: 's' });
  const key = 'key-of-credentials';
  return checkRows(
    rowsOfText(`
      header-name-case | in lower case | b=&x-tms-api-key=${key}&x-tms-nonce=generated!&x-tms-seq-id=s&x-tms-sign-ver=2.0&x-tms-timestamp=1
      header-name-case | as Go spells them (X-Tms-Api-Key) | X-Tms-Api-Key=${key}&X-Tms-Nonce=generated!&X-Tms-Seq-Id=s&X-Tms-Sign-Ver=2.0&X-Tms-Timestamp=1&b=
      header-name-case | in lower case, after sorting | x-tms-api-key=${key}&x-tms-nonce=generated!&x-tms-seq-id=s&x-tms-sign-ver=2.0&x-tms-timestamp=1&b=
      header-unsigned | none of the X-TMS-* headers was signed | b=
      header-unsigned | X-TMS-Seq-Id was not signed | X-TMS-Api-Key=${key}&X-TMS-Nonce=generated!&X-TMS-Sign-Ver=2.0&X-TMS-Timestamp=1&b=
      names-changed | seq_id was signed under the name X-TMS-SeqId | X-TMS-Api-Key=${key}&X-TMS-Nonce=generated!&X-TMS-SeqId=s&X-TMS-Sign-Ver=2.0&X-TMS-Timestamp=1&b=
      whole-body | as Content-MD5= in Base64, in the order of the request | Content-MD5=mjemmbM9Iyrd3iGzXIrtxg==&X-TMS-Api-Key=${key}&X-TMS-Nonce=generated!&X-TMS-Seq-Id=s&X-TMS-Sign-Ver=2.0&X-TMS-Timestamp=1
      wrong-scheme | rules of body mode | api_key=${key}&nonce=generated!&seq_id=s&timestamp=1
      null-included | as "null" | X-TMS-Api-Key=${key}&X-TMS-Nonce=generated!&X-TMS-Seq-Id=s&X-TMS-Sign-Ver=2.0&X-TMS-Timestamp=1&b=null
      empty-dropped | fields that are null were left out | X-TMS-Api-Key=${key}&X-TMS-Nonce=generated!&X-TMS-Seq-Id=s&X-TMS-Sign-Ver=2.0&X-TMS-Timestamp=1
    `),
    ([id, end = '', expected]) =>
      expect(signerWith(request, [[id as DiagnosisId, end]]).canonical).toBe(expected),
  );
});

it('a request of body mode is signed by the rules of header mode', () => {
  const request = bodyRequest('{"b":null,"timestamp":1,"seq_id":"s"}');
  const made = [['wrong-scheme', 'signed by the rules of header mode']] as const;
  expect(signerWith(request, made).canonical).toBe(
    'X-TMS-Api-Key=key-of-credentials&X-TMS-Nonce=generated!&X-TMS-Seq-Id=s&X-TMS-Sign-Ver=2.0&X-TMS-Timestamp=1&b=',
  );
});

it.each([
  ['pairs-joined', 'preceded by "POST/open/v1/trade/bill"', 'POST/open/v1/trade/billa=1'],
  [
    'pairs-joined',
    'preceded by "/open/v1/trade/bill", with "?" between',
    '/open/v1/trade/bill?a=1',
  ],
  ['field-extra', 'user-agent=x was signed, not an X-TMS-* header', 'a=1&user-agent=x'],
  ['field-extra', 'c=d was signed, not a field of the body', 'a=1&c=d'],
  [
    'field-extra',
    'path=/trade/bill was signed, not a field of the request',
    'a=1&path=/trade/bill',
  ],
] as const)('%s, %s', (id, end, expected) => {
  const url = 'http://127.0.0.1/open/v1/trade/bill?c=d';
  const request = {
    ...bareRequest('{"a":1}'),
    method: 'POST',
    url,
    headers: [['User-Agent', 'x']],
  } as const;
  expect(signerWith(request, [[id, end]]).canonical).toBe(expected);
});

/** By md5sum, sha1sum, sha256sum and openssl (OpenSSL 3) of `a=1` and the secret. */
it('another digest, or another form of it, is sent', () => {
  const right = '22CADF1DC816FF19D5A10F339BD8E844';
  const hexSecret = Buffer.from(secret).toString('hex').toUpperCase();
  return checkRows(
    rowsOfText(`
      digest-hmac-md5 | the digest is HMAC-MD5, with the key <secret> over the pairs | 2AE67885CC7009BDC963F9FBFECAF6D4
      digest-hmac-md5 | the digest is HMAC-MD5, with the key <secret> over the pairs and the secret | F1BF537BD7C739680C4973F548CEFBB4
      digest-hmac-md5 | with the pairs as its key over the secret | 2630D3EAC7EAFB44A1B1F546260E0985
      digest-other | of the MD5 in upper case | 090D9A24522CB07E30D05807181F7990
      digest-other | of the MD5 in lower case | CD49D49D0B6746143C571508D20BE1BA
      digest-other | of SHA-1 in hex | A1DCE885D8927E2F294BCABCD710AED6
      digest-other | is SHA-1, not MD5 | 776EFF13FF13CE903CD493DED3FA62E6470024B1
      digest-other | is SHA-256, not MD5 | C58EA563033AF725C6704AB1AB7A4DD9F0CC904E4EACF0EFF1244A7FC0F8654C
      digest-other | HMAC-SHA-256, not MD5, with the key <secret> over the pairs | 6F9E607438D437436EC45B0108CA2BB8C72631362760F4E67FA0CB8F539F7ECB
      digest-other | is SM3, not MD5 | D19BE9670A494CCC40B3D77CB2B38BC2C6FAC5AF6A8CC219E5BEB1F4EDFA93DD
      digest-other | SHA-1 as Base64 | d27/E/8TzpA81JPe0/pi5kcAJLE=
      digest-other | followed by the right MD5 | ${hexSecret}${right}
      hex-lowercase | not in upper case | ${right.toLowerCase()}
      signature-format | middle 16 digits | C816FF19D5A10F33
      signature-format | as Base64 | IsrfHcgW/xnVoQ8zm9joRA==
      signature-format | as Base64 | IsrfHcgW/xnVoQ8zm9joRA
      signature-format | as Base64 | IsrfHcgW_xnVoQ8zm9joRA
      signature-format | as Base64 | IsrfHcgW/xnVoQ8zm9joRA==␊
      signature-format | as Base64 | IsrfHcgW%2FxnVoQ8zm9joRA%3D%3D
      signature-format | as Base64 in upper case | ISRFHCGW/XNVOQ8ZM9JORA==
      signature-format | (BitConverter of .NET) | 22-CA-DF-1D-C8-16-FF-19-D5-A1-0F-33-9B-D8-E8-44
      signature-format | with ":" between the bytes | 22:ca:df:1d:c8:16:ff:19:d5:a1:0f:33:9b:d8:e8:44
      signature-format | with "0x" in front | 0x${right.toLowerCase()}
      signature-format | sent with a line end appended | ${right}␊
      signature-format | hex digits in upper case | ${Buffer.from(right).toString('hex')}
      signature-format | (%02x of a signed byte) | 22ffffffcaffffffdf1dffffffc816ffffffff19ffffffd5ffffffa10f33ffffff9bffffffd8ffffffe844
      signature-format | with "MD5 digest: " in front | MD5 digest: ${right.toLowerCase()}
      signature-format | in a bytes literal of Python | b'${right.toLowerCase()}'
      signature-format | as Node prints a Buffer | <Buffer 22 ca df 1d c8 16 ff 19 d5 a1 0f 33 9b d8 e8 44>
      signature-format | as the decimal numbers of its bytes in brackets, with " " between (%v of Go) | [34 202 223 29 200 22 255 25 213 161 15 51 155 216 232 68]
      signature-format | as the signed decimal numbers of its bytes in brackets (Arrays.toString of Java) | [34, -54, -33, 29, -56, 22, -1, 25, -43, -95, 15, 51, -101, -40, -24, 68]
      signature-format | first 20 digits | 22CADF1DC816FF19D5A1
      signature-format | (toHexString without padding) | 22CADF1DC816FF19D5A1F339BD8E844
      signature-format | as a Guid of .NET without dashes, whose first bytes are in another order | 1DDFCA2216C819FFD5A10F339BD8E844
    `),
    ([id, end = '', text = '']) => {
      const signature = withControls(text);
      const made = [[id as DiagnosisId, end]] as const;
      expect(signerWith(bareRequest('{"a":1}'), made, signature).signature).toBe(signature);
    },
  );
});

it('the zeros at the start of an MD5 are lost', () => {
  // The smallest value whose MD5 begins with a zero.
  const request = bareRequest('{"a":31}');
  const { signature } = caseOf(request).right;
  const lost = signature.replace(/^0+/, '');
  const made = [['signature-format', '(toString(16) of a BigInteger)']] as const;
  expect(lost).not.toBe(signature);
  expect(signerWith(request, made, lost).signature).toBe(lost);
});
