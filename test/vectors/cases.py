"""The requests of the suite, the habits of the signers, and the combinations of habits."""

import base64
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Template:
    """An unsigned request, and the fields that each kind of mistake affects in it."""

    business: str = ""
    affected: dict = field(default_factory=dict)
    form: tuple = ()
    files: tuple = ()
    extra_headers: tuple = ()
    secret: str = "8f3b6c1d90e24a57b1c6d2f40a9e7735"
    milliseconds: bool = False
    nonce: bool = True
    sign_first: bool = False


NULLS = ["coupon_id", "flight_no"]
ORDER_NESTED = ["passenger", "stops"]
ORDER_UNICODE = ["city_name", "passenger", "stops"]
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00\xff\xfe\x80\x00"
CSV = b"stop,lon,lat\r\n1,120.15515,30.27415\r\n2,120.26457,30.18534\r\n"
UPLOAD_FORM = (("order_id", "7391411052119578"), ("evidence_type", "2"), ("city", "杭州"), ("remark", ""))


def uploads(*files, **more):
    """A multipart request with files given as field, file name, type and content."""
    parts = [
        {"name": name, "filename": filename, "type": content_type, "content": base64.b64encode(content).decode()}
        for name, filename, content_type, content in files
    ]
    names = [part["name"] for part in parts]
    return Template(form=UPLOAD_FORM, files=tuple(parts), affected={"multipart-file-included": names}, **more)


def upload(*file, **more):
    return uploads(file, **more)


TEMPLATES = {
    "bill": Template(
        '{"bill_date":"2026-11-19","bill_type":0,"tar_type":1,"page_no":1,"page_size":200,'
        '"notify_url":"https://partner.example/bill?day=1&kind=all"}',
        {"value-url-encoded": ["notify_url"], "html-entities": ["notify_url"]},
    ),
    "estimate": Template(
        '{"city":"330100","city_name":"杭州市","from_lat":30.27415,"from_lon":120.15515,'
        '"to_lat":30.18534,"to_lon":120.26457,"car_type":2,"remark":""}',
        {
            "value-url-encoded": ["city_name"],
            "charset-gbk": ["city_name"],
            "charset-latin1": ["city_name"],
            "empty-dropped": ["remark"],
            "string-quoted": ["city", "city_name", "remark"],
        },
    ),
    "order": Template(
        '{"order_id":"7391411052119578","city_name":"杭州","passenger":{"name":"王小明","mobile":"13800138000"},'
        '"stops":[{"lon":120.15515,"lat":30.27415,"addr":"文三路/学院路"},'
        '{"lon":120.26457,"lat":30.18534,"addr":"火车东站"}],"pay_type":1,"estimate_id":"e-20481"}',
        {
            "nested-spacing": ORDER_NESTED,
            "nested-key-order": ORDER_NESTED,
            "nested-flattened": ORDER_NESTED,
            "nested-escaped-unicode": ORDER_NESTED,
            "nested-escaped-slash": ["stops"],
            "value-url-encoded": ORDER_UNICODE,
            "charset-gbk": ORDER_UNICODE,
            "charset-latin1": ORDER_UNICODE,
            "field-missing": ORDER_NESTED,
            "html-entities": ORDER_NESTED,
            "string-quoted": ["order_id", "city_name", "estimate_id"],
        },
    ),
    "user": Template(
        '{"userId":"u-20481","openId":"o6zAJs3xQ","user_name":"Zoë Müller","mobile":"13800138000","City":"Málaga",'
        '"cityCode":"330100","addr2":"Gate 2","addr_type":1,"slon":120.15515,"slat":30.27415,"channel":"wx-mini"}',
        {
            "charset-latin1": ["user_name", "City"],
            "unicode-form": ["user_name", "City"],
            "value-url-encoded": ["user_name", "City", "addr2"],
            "string-quoted": ["userId", "openId", "user_name", "mobile", "City", "cityCode", "addr2", "channel"],
        },
    ),
    "decomposed": Template(
        '{"user_name":"Zoe\u0308 Mu\u0308ller","city":"Ma\u0301laga","car_type":2,"lat":36.72016,"lon":-4.42034,'
        '"contact":{"name":"Jose\u0301","mobile":"600100200"}}',
        {"unicode-form": ["user_name", "city", "contact"], "charset-latin1": ["user_name", "city", "contact"]},
    ),
    "flags": Template(
        '{"order_id":"7391411052119578","is_invoice":true,"is_carpool":false,"need_pickup":true,"coupon_id":null,'
        '"flight_no":null,"remark":"","contact":"","car_type":2,"discount":0}',
        {
            "boolean-reformatted": ["is_invoice", "is_carpool", "need_pickup"],
            "null-included": NULLS,
            "string-quoted": ["order_id", "remark", "contact"],
        },
    ),
    "remark": Template(
        '{"order_id":"7391411052119578","city":"330100","remark":"Gate A & B, <north>\\nring \\"twice\\"",'
        '"driver_note":"meet at O\'Neill\'s","car_type":2,"tags":{"note":"a<b & c>d","level":1}}',
        {
            "html-entities": ["remark", "driver_note", "tags"],
            "newline-style": ["remark"],
            "nested-escaped-unicode": ["tags"],
            "nested-key-order": ["tags"],
            "value-url-encoded": ["remark", "driver_note", "tags"],
        },
    ),
    "memo": Template(
        '{"order_id":"7391411052119578","memo":"Ring twice.\\r\\nGate B.","to":"Terminal 3\\r\\nExit 12","pay_type":1,'
        '"lat":30.27415,"lon":120.15515}',
        {"newline-style": ["memo", "to"]},
    ),
    "numbers": Template(
        '{"driver_id":3791411052119578828,"lat":30.10,"lon":120.0,"distance":12000000.0,"price":1e2,"fee":0.10,'
        '"car_type":2,"order_id":"7391411052119578","city":"330100"}',
    ),
    "fares": Template(
        '{"order_id":"7391411052119578","fare":{"base":12.50,"per_km":2.0,"unit":"yuan"},'
        '"points":[[120.10,30.20],[120.30,30.40]],"total":58.60,"car_type":2}',
        {"number-reformatted": ["fare", "points", "total"]},
    ),
    "traced": Template(
        '{"city":"330100","lat":30.27415,"lon":120.15515,"car_type":2,"channel":"wx-mini","remark":"杭州 east",'
        '"gate2":"B","gate_no":"12"}',
        {
            "value-url-encoded": ["remark"],
            "charset-gbk": ["remark"],
            "string-quoted": ["X-TMS-Trace", "X-TMS-Channel", "city", "channel", "remark", "gate2", "gate_no"],
            "header-unsigned": ["X-TMS-Trace", "X-TMS-Channel"],
            "header-name-case": ["X-TMS-Trace", "X-TMS-Channel"],
        },
        extra_headers=(("X-TMS-Trace", "t-20481"), ("X-TMS-Channel", "plugin")),
    ),
    "spaced-secret": Template(
        '{"bill_date":"2026-11-19","bill_type":2,"tar_type":0,"page_no":3,"page_size":50}',
        secret="8f3b6c1d90e24a57b1c6d2f40a9e773 ",
    ),
    "seat": Template('{"car_type":2,"city":"330100"}', {"string-quoted": ["city"]}),
    "trip": Template(
        '{"city_name":"杭州","lat":30.27,"remark":"a b"}',
        {
            "encoding-other": ["city_name"],
            "charset-latin1": ["city_name"],
            "string-quoted": ["city_name", "remark"],
        },
    ),
    "emoji": Template('{"remark":"ok 🚕"}', {"encoding-other": ["remark"], "charset-latin1": ["remark"]}),
    "party": Template(
        '{"passenger":{"name":"王明","vip":true},"stops":["A/B",2]}',
        {"nested-flattened": ORDER_NESTED, "nested-spacing": ORDER_NESTED, "nested-escaped-slash": ["stops"]},
    ),
    "hollow": Template('{"extra":{},"tags":["vip","new"],"city":"330100"}'),
    "tagged": Template('{"tags":["vip"],"city":"330100"}', {"nested-flattened": ["tags"]}),
    "untagged": Template('{"tags":[],"city":"330100"}', {"nested-flattened": ["tags"]}),
    # With the habit big-integer-short, the MD5 of this request begins with 0
    "page": Template('{"page_no":13,"page_size":50}'),
    "nothing": Template('{"coupon_id":null,"city":"330100"}', {"null-included": ["coupon_id"]}),
    "depart": Template('{"start":"2026-11-19T08:30:00","city":"330100"}', {"value-reformatted": ["start"]}),
    "padded": Template('{"remark":" ring twice ","city":"330100"}', {"value-reformatted": ["remark"]}),
    "amounts": Template('{"distance":1234567,"fee":1230.5}'),
    "driver": Template('{"driver_id":3791411052119578828}'),
    # Twenty fields, including those of the protocol
    "twenty": Template(
        '{"order_id":"7391","city":"330100","from":"A1","to":"B2","lat":30.27,"lon":120.155,"price":58.5,"tip":3.5,'
        '"seats":3,"bags":1,"level":2,"car_type":4,"paid":true,"shared":false,"days":[1,3],"lang":"en"}',
    ),
    "photo": upload("photo", "trunk.png", "image/png", PNG),
    "list": upload("list", "stops.csv", "text/csv", CSV, milliseconds=True),
}

CAMEL = ["api_key", "seq_id", "city_name"]
PASCAL = ["api_key", "seq_id", "timestamp", "nonce", "car_type", "city"]
TIME = {"body": ["timestamp"], "header": ["X-TMS-Timestamp"]}
COMMON = ("api_key", "seq_id", "timestamp", "nonce")
HEADERS = ("X-TMS-Sign-Ver", "X-TMS-Api-Key", "X-TMS-Timestamp", "X-TMS-Seq-Id", "X-TMS-Nonce")
# Common fields that a mistake affects in every request
COMMON_AFFECTED = {
    "body": {"string-quoted": ["api_key", "seq_id", "nonce"], "sign-included": ["sign"]},
    "header": {"string-quoted": HEADERS, "header-name-case": HEADERS, "sign-included": ["X-TMS-Sign"]},
}


@dataclass(frozen=True)
class Habit:
    """The mistakes that a habit causes, its description, and for each mode a template that shows only this habit."""

    ids: tuple
    description: str
    body: str
    header: str
    affected: list | dict | None  # replaces the fields of the template; a dict by mode if the modes differ


def habit(ids, description, body="", header="", affected=None):
    return Habit(tuple(ids.split()), description, body, header, affected)


FALSY = {
    "body": ["is_carpool", "remark", "contact", "discount"],
    "header": ["is_carpool", "coupon_id", "flight_no", "remark", "contact", "discount"],
}
EMPTY = {"body": ["remark", "contact"], "header": ["coupon_id", "flight_no", "remark", "contact"]}
DECIMALS = ["lat", "lon", "distance", "price", "fee"]

HABITS = {
    "python": {
        "secret-readline": habit(
            "secret-whitespace", "readline() keeps the newline of the secret file", "bill", "estimate"
        ),
        "secret-stripped": habit(
            "secret-whitespace", "strip() on a secret that ends in a space", "spaced-secret", "spaced-secret"
        ),
        "secret-of-staging": habit("secret-other-profile", "the secret of the test account", "bill", "estimate"),
        "key-joined": habit("secret-joined", "&key=SECRET as with payment platforms", "bill", "order"),
        "secret-at-both-ends": habit("secret-joined", "the secret in front and at the end", "estimate", "traced"),
        "secret-as-parameter": habit(
            "secret-sorted-in", "api_secret put among the parameters before sorted()", "bill", "estimate"
        ),
        "placeholder-sign": habit("sign-included", 'the dictionary has "sign": "" while it is signed', "bill"),
        "placeholder-header": habit("sign-included", "X-TMS-Sign is an empty header while signing", header="estimate"),
        "truthy-strings": habit("empty-dropped", "empty strings are skipped", "estimate", affected=["remark"]),
        "none-dropped": habit("empty-dropped", "None is skipped in header mode", header="flags", affected=NULLS),
        "none-as-json": habit("null-included", "json.dumps(None): null", "flags", "flags"),
        "none-as-str": habit("null-included", "str(None): None", "flags", "flags"),
        "without-nonce": habit("field-missing", "the nonce is added after signing", "bill", affected=["nonce"]),
        "business-only": habit(
            "field-missing", "all common fields are added after signing", "bill", affected=list(COMMON)
        ),
        "body-only": habit("header-unsigned", "no header is signed", header="estimate", affected=list(HEADERS)),
        "without-version": habit(
            "header-unsigned", "X-TMS-Sign-Ver is set by the session", header="order", affected=["X-TMS-Sign-Ver"]
        ),
        "file-name": habit("multipart-file-included", "the file name as the field's value", header="photo"),
        "file-content": habit("multipart-file-included", "the file's bytes as the field's value", header="photo"),
        "other-protocol": habit("wrong-scheme", "the rules of the other protocol version", "bill", "estimate"),
        "insertion-order": habit("sort-unsorted", "the order of the dictionary", "estimate", "order"),
        "sorted-lower": habit("sort-case-insensitive", "sorted(params, key=str.lower)", "user", "user"),
        "wsgi-names": habit("header-name-case", "upper-case names from environ", header="estimate"),
        "json-dumps": habit("nested-spacing nested-escaped-unicode", "json.dumps(value)"),
        "json-dumps-utf8": habit("nested-spacing", "json.dumps(value, ensure_ascii=False)", "order", "order"),
        "json-dumps-compact": habit(
            "nested-escaped-unicode", 'json.dumps(value, separators=(",", ":"))', "order", "order"
        ),
        "json-sort-keys": habit("nested-key-order", "json.dumps(value, sort_keys=True)", "order", "order"),
        "json-indent": habit("nested-spacing", "json.dumps(value, indent=4)", "order"),
        "str-dict": habit("nested-flattened", "str(dict): {'name': …}", "order", "order"),
        "json-every-value": habit("string-quoted", "json.dumps for every value", "estimate", "estimate"),
        "str-bool": habit("boolean-reformatted", "str(True): True", "flags", "flags"),
        "str-float": habit(
            "number-reformatted",
            "str(float): 30.10 is 30.1",
            "numbers",
            "fares",
            affected={"body": ["lat", "price", "fee"]},
        ),
        "six-decimals": habit("number-reformatted", '"%f": six decimals', "numbers", affected=DECIMALS),
        "quoted": habit("value-url-encoded", "quote(), which does not encode /", "order", "traced"),
        "quoted-plus": habit("value-url-encoded", "quote_plus(): a space is +", "user", "user"),
        "quoted-whole": habit("value-url-encoded", "quote() over the joined string", "bill", "estimate", affected=[]),
        "html-escaped": habit("html-entities", "html.escape(): &#x27; for the apostrophe", "remark", "remark"),
        "html-unescaped": habit(
            "html-entities", "html.unescape(): &timestamp contains &times", "estimate", affected=[]
        ),
        "nfd": habit("unicode-form", "decomposed text, as in file names on a Mac", "user", "user"),
        "nfc": habit("unicode-form", "composed text although the request is decomposed", "decomposed", "decomposed"),
        "universal-newlines": habit("newline-style", "CRLF read as LF", "memo", "memo"),
        "gbk": habit("charset-gbk", 'encode("gbk")', "order", "estimate"),
        "latin1": habit("charset-latin1", 'encode("latin-1", "replace"): ? for other characters', "estimate", "user"),
        "hexdigest": habit("hex-lowercase", "hexdigest() is lower case", "bill", "estimate"),
        "hmac-md5": habit("digest-hmac-md5", "hmac.new(secret, src1, md5)", "bill", "estimate"),
        "hmac-md5-sealed": habit("digest-hmac-md5", "HMAC over the string with the secret at its end", "estimate"),
        "sha1": habit("digest-other", "SHA-1", "bill"),
        "sha256": habit("digest-other", "SHA-256", "estimate", "estimate"),
        "sm3": habit("digest-other", "SM3", "bill", "order"),
        "milliseconds-signed": habit("fields-stale", "milliseconds signed, seconds sent", "seat", affected=TIME),
        "no-separators": habit("pairs-joined", '"".join of names and values', header="seat"),
        "body-dumped": habit("whole-body", "the JSON text of the sorted body", "trip"),
        "body-appended": habit("whole-body", "the JSON text of the body after the headers", header="party"),
        "key-for-secret": habit("secret-joined", "the api_key instead of the secret", "seat"),
        "pairs-hashed-first": habit("digest-other", "md5(md5(src1) + secret)", "trip"),
        "utf-8-sig": habit(
            "encoding-other", 'encode("utf-8-sig") begins with a byte order mark', header="seat", affected=[]
        ),
        "read-as-cp1252": habit("encoding-other", "UTF-8 read as Windows-1252", header="trip"),
        "hex-prefixed": habit("signature-format", "0x before the digits", "seat"),
        "middle-digits": habit("signature-format", "hexdigest()[8:24]", "seat"),
        "datetime-printed": habit("value-reformatted", "str(datetime): a space instead of T", "depart"),
        "price-in-cents": habit(
            "number-reformatted", "two decimals for one field of many", "twenty", affected=["price"]
        ),
        "days-dumped": habit("nested-spacing", "str() of one list among many fields", "twenty", affected=["days"]),
    },
    "php": {
        "secret-newline": habit("secret-whitespace", "file_get_contents() keeps the last newline", "estimate", "order"),
        "secret-crlf": habit("secret-whitespace", "a secret file with CRLF", "bill", "estimate"),
        "secret-bom": habit("secret-whitespace", "a secret file with a byte order mark", "bill"),
        "secret-of-staging": habit("secret-other-profile", "the secret of the test account", "order", "order"),
        "secret-joined": habit("secret-joined", "&secret=SECRET", "bill", "estimate"),
        "api-secret-joined": habit("secret-joined", "&api_secret=SECRET", "estimate", "order"),
        "key-as-parameter": habit("secret-sorted-in", "$params['key'] = $secret before ksort()", "bill"),
        "array-filter": habit(
            "empty-dropped", "array_filter() drops 0, false and ''", "flags", "flags", affected=FALSY
        ),
        "empty-string-dropped": habit(
            "empty-dropped", "if ($value !== '' && $value !== null)", "flags", "flags", affected=EMPTY
        ),
        "isset": habit("empty-dropped", "isset() skips null in header mode", header="flags", affected=NULLS),
        "null-concatenated": habit("null-included", "null . '' is an empty text", "flags"),
        "sign-empty": habit("sign-included", "'sign' => '' while signing", "estimate"),
        "sign-header-empty": habit("sign-included", "'X-TMS-Sign' => '' while signing", header="order"),
        "without-timestamp": habit(
            "field-missing", "the timestamp is added after signing", "bill", affected=["timestamp"]
        ),
        "scalars-only": habit("field-missing", "arrays are skipped", "order"),
        "fixed-headers": habit(
            "header-unsigned",
            "only the headers that never change",
            header="estimate",
            affected=["X-TMS-Timestamp", "X-TMS-Seq-Id", "X-TMS-Nonce"],
        ),
        "file-name": habit("multipart-file-included", "$_FILES name as the value", header="list"),
        "file-content": habit("multipart-file-included", "file_get_contents(tmp_name) as the value", header="list"),
        "other-protocol": habit("wrong-scheme", "the rules of the other protocol version", "order", "order"),
        "without-ksort": habit("sort-unsorted", "ksort() forgotten", "bill", "estimate"),
        "ksort-flag-case": habit("sort-case-insensitive", "ksort() with SORT_FLAG_CASE", "user", "user"),
        "server-headers": habit("header-name-case", "names from $_SERVER: X-Tms-Api-Key", header="order"),
        "json-encode": habit("nested-escaped-unicode nested-escaped-slash", "json_encode() without flags"),
        "unescaped-unicode": habit("nested-escaped-slash", "json_encode() escapes /", "order", "order"),
        "unescaped-slashes": habit(
            "nested-escaped-unicode", "json_encode() escapes non-ASCII characters", "order", "order"
        ),
        "pretty-print": habit("nested-spacing", "JSON_PRETTY_PRINT", "order", "order"),
        "ksort-deep": habit("nested-key-order", "ksort() on every level", "order", "order"),
        "array-cast": habit("nested-flattened", "(string) $array is Array", "order", "order"),
        "http-build-query": habit("nested-flattened value-url-encoded", "http_build_query()"),
        "http-build-query-decoded": habit("nested-flattened", "urldecode(http_build_query())", "order", "order"),
        "json-every-value": habit("string-quoted", "json_encode() for every value", "user", "order"),
        "strval-bool": habit("boolean-reformatted", "true is '1', false is ''", "flags", "flags"),
        "strval": habit(
            "number-reformatted", "(string) of a float: 120.0 is 120", "numbers", "numbers", affected=DECIMALS
        ),
        "intval-bool": habit("boolean-reformatted", "(int): 1 and 0", "flags"),
        "urlencode": habit("value-url-encoded", "urlencode() on every value", "order", "user"),
        "rawurlencode": habit("value-url-encoded", "rawurlencode() on every value", "user", "order"),
        "htmlspecialchars": habit("html-entities", "htmlspecialchars(): &#039;", "remark", "remark"),
        "amp-joined": habit("html-entities", "the joined string escaped: &amp;", "user", "estimate", affected=[]),
        "textarea-newlines": habit("newline-style", "a textarea gives CRLF", "remark", "remark"),
        "php-eol": habit("newline-style", "CRLF replaced by PHP_EOL", "memo"),
        "iconv-gbk": habit("charset-gbk", "iconv to GBK", "estimate", "order"),
        "utf8-decode": habit("charset-latin1", "utf8_decode()", "user", "estimate"),
        "md5": habit("hex-lowercase", "md5() is lower case", "estimate", "order"),
        "hash-hmac": habit("digest-hmac-md5", "hash_hmac('md5')", "order", "order"),
        "sha1": habit("digest-other", "sha1()", "estimate", "estimate"),
        "openssl-sm3": habit("digest-other", "openssl_digest(sm3)", "order"),
        "assoc": habit("nested-flattened", "an empty array instead of {}", "hollow", affected=["extra"]),
        "force-object": habit("nested-flattened", "JSON_FORCE_OBJECT", "tagged"),
        "single-item": habit("nested-flattened", "the item instead of a list with one item", header="tagged"),
        "implode-values": habit("values-only", "implode() of the values", header="seat"),
        "encoded-body": habit("whole-body", "json_encode() of the body", "trip"),
        "method-in-front": habit("pairs-joined", "POST in front of the pairs", "seat"),
        "format-parameter": habit("field-extra", "format=json signed and not sent", "seat", affected=["format"]),
        "trim": habit("value-reformatted", "trim() on every text", header="padded"),
        "number-format": habit("number-reformatted", "number_format($fee, 2, '.', '')", "amounts", affected=["fee"]),
        "utf8-encode": habit("charset-latin1", "utf8_encode() of UTF-8", "trip"),
        "md5-of-md5": habit("digest-other", "md5(md5())", header="seat"),
    },
    "go": {
        "secret-read-string": habit("secret-whitespace", "ReadString('\\n') keeps the newline", "order", "traced"),
        "secret-of-staging": habit("secret-other-profile", "the secret of the test account", "estimate", "traced"),
        "secret-joined": habit("secret-joined", "&api_secret=SECRET", "order", "traced"),
        "sercret-joined": habit("secret-joined", "&api_sercret=SECRET, the documents' spelling", "bill"),
        "sercret-as-parameter": habit(
            "secret-sorted-in", "api_sercret, the documents' spelling, among the parameters", "estimate", "order"
        ),
        "omitempty": habit("empty-dropped", "omitempty drops zero values", "flags", affected=FALSY),
        "empty-string-dropped": habit("empty-dropped", 'if value != ""', "estimate", affected=["remark"]),
        "raw-null": habit("null-included", "a json.RawMessage of null", "flags", "flags"),
        "nil-pointer": habit("null-included", 'a nil *string becomes ""', "flags"),
        "sign-empty": habit("sign-included", "the struct's Sign is empty while signing", "order"),
        "sign-header-empty": habit(
            "sign-included", "http.Header has an empty X-TMS-Sign while signing", header="traced"
        ),
        "without-api-key": habit(
            "field-missing", "api_key is added by the transport", "estimate", affected=["api_key"]
        ),
        "without-seq-and-nonce": habit(
            "field-missing", "seq_id and nonce are added by the transport", "order", affected=["seq_id", "nonce"]
        ),
        "extra-header-unsigned": habit("header-unsigned", "headers of a middleware are not signed", header="traced"),
        "file-content": habit("multipart-file-included", "the file's text as the value", header="list"),
        "other-protocol": habit("wrong-scheme", "the rules of the other protocol version", "flags", "flags"),
        "struct-order": habit("sort-unsorted", "the order of the struct", "order", "traced"),
        "equal-fold": habit("sort-case-insensitive", "strings.ToLower in sort.Slice", "user", "traced"),
        "canonical-headers": habit("header-name-case", "http.Header's names: X-Tms-Api-Key", header="traced"),
        "marshal-struct": habit(
            "nested-escaped-unicode", "json.Marshal: \\u003c, \\u003e, \\u0026", "remark", "remark"
        ),
        "marshal-map": habit("nested-key-order", "json.Marshal of a map sorts its keys", "order", "order"),
        "marshal-indent": habit("nested-spacing", "json.MarshalIndent", "order", "order"),
        "marshal-every-value": habit("string-quoted", "json.Marshal for every value", "user", "traced"),
        "sprint-map": habit("nested-flattened", '"%v": map[name:…]', "order", "order"),
        "sprint-float": habit(
            "number-reformatted",
            '"%v": 1.7951328e+09',
            "bill",
            "numbers",
            affected={"body": ["timestamp"], "header": ["driver_id", "lat", "lon", "distance", "price", "fee"]},
        ),
        "format-float": habit(
            "number-reformatted", "FormatFloat(…, 'f', -1, 64)", "numbers", affected=["driver_id", *DECIMALS]
        ),
        "six-decimals": habit(
            "number-reformatted", '"%f": six decimals', header="numbers", affected=["driver_id", *DECIMALS, "car_type"]
        ),
        "bits-for-booleans": habit("boolean-reformatted", "1 and 0", "flags", "flags"),
        "query-escape": habit("value-url-encoded", "url.QueryEscape on every value", "bill", "estimate"),
        "path-escape": habit("value-url-encoded", "url.PathEscape on every value", "user"),
        "html-escape": habit("html-entities", "html.EscapeString: &#34;", "remark", "remark"),
        "hex-lower": habit("hex-lowercase", '"%x"', "order", "traced"),
        "hmac-md5": habit("digest-hmac-md5", "hmac.New(md5.New, secret)", "estimate", "traced"),
        "hmac-sha256": habit("digest-other", "HMAC-SHA-256", "bill", "traced"),
        "sha1": habit("digest-other", "SHA-1", header="traced"),
        "clock-read-twice": habit("fields-stale", "time.Now() read again before sending", header="seat", affected=TIME),
        "version-v2": habit("fields-stale", "the version v2.0 signed", header="seat", affected=["X-TMS-Sign-Ver"]),
        "struct-names": habit("names-changed", "the names of a struct without tags", "seat", affected=PASCAL),
        "values-only": habit("values-only", "the values without names", "seat"),
        "sprint-params": habit("pairs-joined", "fmt.Sprint of the map", "seat"),
        "secret-upper": habit("secret-joined", "strings.ToUpper of the secret", header="seat"),
        "time-format": habit("value-reformatted", "Time.Format(time.RFC3339)", "depart"),
        "six-decimals-of-one": habit("number-reformatted", "six decimals for one field", "twenty", affected=["lon"]),
        "raw-url-encoding": habit("signature-format", "base64.RawURLEncoding", header="seat"),
    },
    "java": {
        "secret-properties": habit(
            "secret-whitespace", "a .properties file keeps the space at the end", "bill", "traced"
        ),
        "secret-of-staging": habit("secret-other-profile", "the secret of the test account", "flags"),
        "ampersand-joined": habit("secret-joined", "the last & is not removed", "bill", "estimate"),
        "key-joined": habit("secret-joined", "&key=SECRET", "order", "traced"),
        "secret-as-parameter": habit("secret-sorted-in", "api_secret put into the TreeMap", "order", "traced"),
        "is-not-empty": habit(
            "empty-dropped",
            "StringUtils.isNotEmpty",
            "flags",
            "estimate",
            affected={"body": ["remark", "contact"], "header": ["remark"]},
        ),
        "non-null": habit("empty-dropped", "Include.NON_NULL in header mode", header="flags", affected=NULLS),
        "value-of-null": habit("null-included", "String.valueOf(null): null", "flags", "flags"),
        "null-to-empty": habit("null-included", 'Objects.toString(value, "")', "flags"),
        "sign-null": habit("sign-included", "the bean's sign is null while signing", "bill"),
        "sign-header-empty": habit("sign-included", "an empty X-TMS-Sign while signing", header="flags"),
        "without-commons": habit(
            "field-missing",
            "seq_id, timestamp and nonce are added by a base class",
            "estimate",
            affected=["seq_id", "timestamp", "nonce"],
        ),
        "scalars-only": habit("field-missing", "objects are skipped by reflection", "order", "order"),
        "documented-headers": habit(
            "header-unsigned", "the optional nonce is not signed", header="estimate", affected=["X-TMS-Nonce"]
        ),
        "file-name": habit("multipart-file-included", "getOriginalFilename() as the value", header="photo"),
        "file-content": habit("multipart-file-included", "new String(file.getBytes()) as the value", header="list"),
        "other-protocol": habit("wrong-scheme", "the rules of the other protocol version", "estimate", "traced"),
        "hash-map": habit("sort-unsorted", "the order of a HashMap", "order", "flags"),
        "linked-hash-map": habit("sort-unsorted", "the order of a LinkedHashMap", "flags"),
        "case-insensitive-order": habit(
            "sort-case-insensitive", "TreeMap(String.CASE_INSENSITIVE_ORDER)", "user", "user"
        ),
        "collator": habit("sort-locale", "TreeMap(Collator)", "user", "user"),
        "servlet-headers": habit("header-name-case", "names in lower case from the servlet container", header="flags"),
        "nested-hash-map": habit(
            "nested-key-order", "nested objects parsed into a HashMap", "order", "order", affected=["stops"]
        ),
        "map-to-string": habit("nested-flattened", "Map.toString(): {name=…}", "order", "order"),
        "browser-compatible": habit(
            "nested-escaped-unicode", "fastjson BrowserCompatible: \\u6587 in capitals", "order", "order"
        ),
        "slash-as-special": habit("nested-escaped-slash", "fastjson WriteSlashAsSpecial", "order", "order"),
        "json-every-value": habit("string-quoted", "toJSONString for every value", "order", "flags"),
        "double-to-string": habit(
            "number-reformatted",
            "Double.toString: 1.2E7",
            "numbers",
            "fares",
            affected={"body": ["lat", "distance", "price", "fee"]},
        ),
        "gson-double": habit(
            "number-reformatted",
            "Gson reads every number as Double",
            "bill",
            "estimate",
            affected={"body": ["timestamp", "bill_type", "tar_type", "page_no", "page_size"], "header": ["car_type"]},
        ),
        "strip-zeros": habit(
            "number-reformatted", "stripTrailingZeros().toPlainString()", "numbers", affected=DECIMALS
        ),
        "url-encoder": habit("value-url-encoded", "URLEncoder.encode on every value", "estimate", "order"),
        "url-encoded-whole": habit(
            "value-url-encoded", "URLEncoder.encode over the joined string", "order", affected=[]
        ),
        "html-utils": habit("html-entities", "HtmlUtils.htmlEscape: &#39;", "remark", "remark"),
        "nfc": habit("unicode-form", "Normalizer NFC although the request is decomposed", "decomposed"),
        "line-separator": habit("newline-style", "String.lines() joined with LF", "memo", "memo"),
        "get-bytes-gbk": habit("charset-gbk", 'getBytes("GBK")', "order", "traced"),
        "get-bytes-latin1": habit("charset-latin1", 'getBytes("ISO-8859-1"): ? for other characters', "order", "order"),
        "big-integer": habit("hex-lowercase", "BigInteger.toString(16)", "flags", "flags"),
        "hmac-md5": habit("digest-hmac-md5", "Mac HmacMD5", "flags", "flags"),
        "sha1": habit("digest-other", 'MessageDigest.getInstance("SHA-1")', "order"),
        "sha256": habit("digest-other", 'MessageDigest.getInstance("SHA-256")', "flags", "flags"),
        "clock-read-twice": habit("fields-stale", "currentTimeMillis() read again", "seat", affected=TIME),
        "bean-names": habit("names-changed", "the properties of a bean", "seat", affected=["api_key", "seq_id"]),
        "tree-map-to-string": habit("pairs-joined", "toString() of the TreeMap", header="seat"),
        "modified-utf8": habit("encoding-other", "writeUTF: CESU-8", "emoji"),
        "date-to-string": habit("value-reformatted", "Date.toString()", "depart"),
        "seats-double": habit("number-reformatted", "one integer of many as a Double", "twenty", affected=["seats"]),
        "big-integer-short": habit("signature-format", "BigInteger.toString(16) drops the leading zero", "page"),
    },
    "javascript": {
        "secret-space": habit("secret-whitespace", "the space after = of an .env line", "bill", "flags"),
        "secret-quotes": habit("secret-whitespace", "the quotes of an .env line", "estimate", "estimate"),
        "secret-of-staging": habit("secret-other-profile", "the secret of the test account", header="flags"),
        "secret-in-front": habit("secret-joined", "the secret in front", "bill", "flags"),
        "secret-joined": habit("secret-joined", "&secret=SECRET", "flags"),
        "secret-as-parameter": habit("secret-sorted-in", "{ ...params, secret }", "flags", "user"),
        "falsy-dropped": habit("empty-dropped", "if (value) drops 0, false and ''", "flags", "flags", affected=FALSY),
        "empty-string-dropped": habit("empty-dropped", "if (value !== '')", "estimate", affected=["remark"]),
        "template-null": habit("null-included", "`${null}`: null", "flags", "flags"),
        "null-to-empty": habit("null-included", "value ?? ''", "flags"),
        "sign-null": habit("sign-included", "{ sign: null } in a template", "estimate"),
        "sign-header-empty": habit("sign-included", "{ 'X-TMS-Sign': '' } while signing", header="estimate"),
        "scalars-only": habit("field-missing", "objects are skipped", "order"),
        "known-headers": habit("header-unsigned", "only the headers of the documents' table", header="traced"),
        "nonce-header-unsigned": habit(
            "header-unsigned", "the nonce comes from an interceptor", header="flags", affected=["X-TMS-Nonce"]
        ),
        "file-name": habit("multipart-file-included", "file.name as the value", header="list"),
        "other-protocol": habit("wrong-scheme", "the rules of the other protocol version", "user", "user"),
        "insertion-order": habit("sort-unsorted", "Object.keys() without sort()", "user", "user"),
        "body-then-headers": habit("sort-unsorted", "{ ...body, ...headers }", header="estimate"),
        "to-lower-case": habit("sort-case-insensitive", "sort by toLowerCase()", "user", "traced"),
        "locale-compare": habit("sort-locale", "localeCompare", "user", "traced"),
        "intl-collator": habit("sort-locale", "Intl.Collator", "user", "user"),
        "node-headers": habit("header-name-case", "names in lower case from node:http", header="order"),
        "template-object": habit("nested-flattened", "`${value}`: [object Object]", "order", "order"),
        "dotted-paths": habit("nested-flattened", "passenger.name=, stops[0].lon=", "order", "order"),
        "stringify-indented": habit("nested-spacing", "JSON.stringify(value, null, 2)", "order", "order"),
        "slash-escaped": habit("nested-escaped-slash", "JSON made safe for a script element", "order", "order"),
        "ascii-json": habit("nested-escaped-unicode", "JSON in ASCII", "order"),
        "stringify-every-value": habit("string-quoted", "JSON.stringify for every value", "flags", "user"),
        "parsed-numbers": habit(
            "number-reformatted",
            "JSON.parse rounds 19 digits and shortens decimals",
            "numbers",
            "fares",
            affected={"body": ["driver_id", *DECIMALS]},
        ),
        "bits-for-booleans": habit("boolean-reformatted", "Number(true)", "flags", "flags"),
        "encode-uri-component": habit("value-url-encoded", "encodeURIComponent on every value", "order", "order"),
        "encoded-twice": habit("value-url-encoded", "encodeURIComponent twice", "estimate", "traced"),
        "encoded-whole": habit("value-url-encoded", "encodeURIComponent over the joined string", "bill", affected=[]),
        "html-escaped": habit("html-entities", "a template engine's escapes: &#39;", "remark", "remark"),
        "crlf-newlines": habit("newline-style", "LF written as CRLF", "remark", "remark"),
        "nfd": habit("unicode-form", "normalize('NFD')", "user", "user"),
        "binary-string": habit("charset-latin1", "update(text, 'binary')", "user", "user"),
        "lower-hex": habit("hex-lowercase", "digest('hex') is lower case", "user", "user"),
        "hmac-md5": habit("digest-hmac-md5", "createHmac('md5', secret)", "user", "user"),
        "sha256": habit("digest-other", "createHash('sha256')", "user", "user"),
        "camel-case": habit("names-changed", "names in camelCase", "trip", affected=CAMEL),
        "v1-names": habit(
            "names-changed", "the names of protocol 1.0 for the headers", header="seat", affected=list(HEADERS)
        ),
        "date-now": habit("fields-stale", "Date.now() signed, seconds sent", header="seat", affected=TIME),
        "nonce-undefined": habit("fields-stale", "the nonce undefined while signing", "seat", affected=["nonce"]),
        "content-type": habit("field-extra", "every header signed", header="seat", affected=["Content-Type"]),
        "array-to-string": habit("nested-flattened", "String() of a list", "hollow", affected=["tags"]),
        "to-locale-string": habit(
            "number-reformatted", "toLocaleString(): 1,234,567", "amounts", affected=["distance"]
        ),
        "secret-decoded": habit("secret-joined", "Buffer.from(secret, 'base64')", "seat"),
        "digest-base64": habit("signature-format", "digest('base64')", header="seat"),
        "bytes-unpadded": habit("signature-format", "toString(16) of each byte", "seat"),
    },
    "ruby": {
        "inspect": habit("nested-flattened", 'inspect: {"name"=>…}', "party", "party"),
        "join": habit("pairs-joined", "to_a.join", header="seat"),
        "time-to-s": habit("value-reformatted", "Time#to_s", "depart"),
        "time-now-twice": habit("fields-stale", "Time.now read again before sending", header="seat", affected=TIME),
        "hexdigest": habit("hex-lowercase", "hexdigest is lower case"),
        "fingerprint": habit("signature-format", "the bytes joined with :", "seat"),
    },
    "bash": {
        "echo": habit("secret-whitespace", "echo adds a newline", "seat"),
        "secret-unset": habit("secret-joined", "a misspelled variable is empty", "seat"),
        "null-as-text": habit("null-included", "jq -r prints null", "nothing"),
        "date-millis": habit("fields-stale", "date +%s%3N signed", header="seat", affected=TIME),
        "newline-joined": habit("pairs-joined", "one pair on each line", header="trip"),
        "jq-body": habit("whole-body", "jq -cS of the body", "trip"),
        "iconv-ascii": habit("encoding-other", "iconv -c -t ASCII", "trip"),
        "lower": habit("hex-lowercase", "openssl prints lower case"),
        "openssl-md5": habit("signature-format", "openssl prints (stdin)= before the digest", "seat"),
    },
    "csharp": {
        "bit-converter": habit("signature-format", "BitConverter.ToString: A4-87-…", header="seat"),
        "guid": habit("signature-format", "new Guid(hash)", "seat"),
        "encoding-unicode": habit("encoding-other", "Encoding.Unicode is UTF-16", "seat", affected=[]),
        "encoding-ascii": habit("charset-latin1", "Encoding.ASCII: ? for other characters", header="emoji"),
        "bool-to-string": habit("boolean-reformatted", "bool.ToString(): True", affected=["paid", "shared"]),
        "indented-token": habit("nested-spacing", "JToken.ToString() is indented", "party"),
        "type-name": habit("nested-flattened", "ToString() of a list", "tagged"),
        "date-time-to-string": habit("value-reformatted", "DateTime.ToString()", "depart"),
        "comma-decimals": habit("number-reformatted", "30,27 in a German culture", "trip", affected=["lat"]),
    },
    "kotlin": {
        "join-to-string": habit("pairs-joined", 'joinToString() uses ", "', header="seat"),
        "null-in-template": habit("null-included", '"$value" of null', header="nothing"),
        "interceptor-headers": habit(
            "field-extra", "an interceptor signs every header", header="seat", affected=["Content-Type"]
        ),
    },
    "swift": {
        "description": habit("nested-flattened", 'description: ["name": …]', "party"),
        "optional-texts": habit("string-quoted", 'Optional("…")', "trip"),
        "json-serialization": habit("nested-escaped-slash", "JSONSerialization escapes /", "party"),
        "date-description": habit("value-reformatted", "Date.description", "depart"),
    },
    "rust": {
        "debug-value": habit("nested-flattened", '"{:?}" of a serde_json value', "party"),
        "value-to-string": habit("string-quoted", "to_string() of a serde_json text", "seat"),
        "format-x": habit("hex-lowercase", '"{:x}"'),
        "format-debug": habit("signature-format", '"{:?}" of the digits', "seat"),
    },
    "lua": {
        "format-g": habit("number-reformatted", '"%.14g" of a large number', "driver", affected=["driver_id"]),
        "empty-table": habit("nested-flattened", "an empty table is {}", header="untagged"),
        "userdata": habit("null-included", "tostring(cjson.null)", "nothing"),
    },
}

# Several habits in one signer: mode, language, template, habits, and the affected fields that differ
COMBINATIONS = [
    ("body", "python", "order", "json-dumps"),
    ("header", "python", "order", "json-dumps"),
    ("body", "python", "bill", "hexdigest key-joined"),
    ("body", "python", "estimate", "hexdigest insertion-order"),
    ("header", "python", "order", "hexdigest insertion-order"),
    ("body", "python", "user", "hexdigest quoted-plus"),
    ("body", "python", "flags", "str-bool none-as-str"),
    ("header", "python", "flags", "str-bool none-as-json"),
    ("body", "python", "numbers", "str-float hexdigest"),
    ("body", "python", "user", "sorted-lower hexdigest"),
    ("header", "python", "remark", "html-escaped hexdigest"),
    ("header", "python", "estimate", "hmac-md5 hexdigest"),
    ("body", "python", "bill", "sha256 hexdigest"),
    ("body", "python", "bill", "without-nonce insertion-order"),
    ("header", "python", "photo", "file-name hexdigest"),
    ("header", "python", "photo", "file-content body-only"),
    ("header", "python", "estimate", "without-version hexdigest"),
    ("body", "python", "estimate", "secret-readline hexdigest"),
    ("body", "php", "order", "json-encode"),
    ("header", "php", "order", "json-encode"),
    ("body", "php", "order", "http-build-query"),
    ("header", "php", "order", "http-build-query"),
    ("body", "php", "estimate", "without-ksort md5"),
    ("body", "php", "flags", "empty-string-dropped md5"),
    ("header", "php", "flags", "isset md5"),
    ("body", "php", "user", "ksort-flag-case secret-joined"),
    ("body", "php", "remark", "htmlspecialchars md5"),
    ("body", "php", "flags", "strval-bool null-concatenated"),
    ("body", "php", "user", "utf8-decode md5"),
    ("header", "php", "order", "iconv-gbk md5"),
    ("body", "php", "order", "unescaped-unicode without-ksort"),
    ("body", "php", "bill", "sign-empty md5"),
    ("header", "php", "order", "server-headers md5"),
    ("header", "php", "list", "file-content md5"),
    ("body", "go", "remark", "marshal-struct sprint-float", {"number-reformatted": ["timestamp"]}),
    ("body", "go", "order", "sprint-map hex-lower"),
    ("body", "go", "bill", "sprint-float hex-lower", {"number-reformatted": ["timestamp"]}),
    ("header", "go", "traced", "canonical-headers hex-lower"),
    ("header", "go", "traced", "canonical-headers extra-header-unsigned", {"header-name-case": list(HEADERS)}),
    ("body", "go", "estimate", "query-escape hex-lower"),
    ("body", "go", "flags", "omitempty bits-for-booleans", {"boolean-reformatted": ["is_invoice", "need_pickup"]}),
    ("header", "go", "order", "marshal-map sercret-as-parameter"),
    ("body", "go", "remark", "marshal-map marshal-struct"),
    ("header", "go", "remark", "marshal-map marshal-struct"),
    ("body", "java", "flags", "hash-map value-of-null"),
    ("body", "java", "order", "hash-map nested-hash-map"),
    ("header", "java", "order", "hash-map nested-hash-map"),
    ("body", "java", "order", "map-to-string big-integer"),
    ("body", "java", "order", "get-bytes-gbk big-integer"),
    ("body", "java", "estimate", "get-bytes-gbk url-encoder"),
    ("body", "java", "user", "get-bytes-latin1 url-encoder"),
    ("body", "java", "flags", "value-of-null key-joined"),
    ("header", "java", "flags", "value-of-null ampersand-joined"),
    (
        "body",
        "java",
        "numbers",
        "double-to-string big-integer",
        {"number-reformatted": ["lat", "distance", "price", "fee"]},
    ),
    ("header", "java", "flags", "non-null servlet-headers"),
    ("body", "java", "flags", "sign-null value-of-null"),
    ("header", "java", "order", "hash-map browser-compatible"),
    ("body", "java", "order", "browser-compatible slash-as-special"),
    ("body", "java", "order", "other-protocol big-integer"),
    ("body", "javascript", "order", "template-object lower-hex"),
    ("body", "javascript", "user", "encode-uri-component lower-hex"),
    ("body", "javascript", "numbers", "parsed-numbers lower-hex", {"number-reformatted": ["driver_id", *DECIMALS]}),
    ("header", "javascript", "user", "locale-compare lower-hex"),
    ("header", "javascript", "estimate", "secret-joined lower-hex"),
    ("body", "javascript", "remark", "crlf-newlines lower-hex"),
    ("body", "javascript", "flags", "falsy-dropped lower-hex", {"empty-dropped": FALSY["body"]}),
    ("body", "javascript", "flags", "stringify-every-value template-null"),
    ("body", "javascript", "user", "nfd lower-hex"),
    ("header", "javascript", "order", "node-headers lower-hex"),
    ("header", "javascript", "flags", "node-headers nonce-header-unsigned", {"header-name-case": list(HEADERS[:4])}),
    ("body", "javascript", "order", "slash-escaped ascii-json"),
    ("body", "javascript", "order", "dotted-paths encode-uri-component"),
    ("body", "python", "seat", "milliseconds-signed hexdigest"),
    ("body", "javascript", "trip", "camel-case lower-hex"),
    ("body", "ruby", "party", "inspect hexdigest"),
    ("header", "ruby", "seat", "join hexdigest"),
    ("body", "bash", "seat", "echo lower"),
    ("header", "bash", "trip", "newline-joined lower"),
    ("body", "csharp", "twenty", "bool-to-string bit-converter"),
    ("body", "rust", "party", "debug-value format-x"),
    # Three mistakes at once
    ("body", "python", "order", "json-dumps hexdigest"),
    ("header", "python", "order", "json-dumps hexdigest"),
    ("body", "python", "flags", "str-bool none-as-str hexdigest"),
    ("body", "php", "order", "json-encode md5"),
    ("header", "php", "order", "json-encode md5"),
    ("body", "php", "order", "http-build-query md5"),
    ("body", "php", "estimate", "without-ksort secret-joined md5"),
    ("body", "go", "remark", "marshal-struct sprint-float hex-lower", {"number-reformatted": ["timestamp"]}),
    ("body", "java", "flags", "hash-map value-of-null big-integer"),
    ("header", "java", "order", "hash-map nested-hash-map big-integer"),
    ("body", "java", "estimate", "url-encoder key-joined big-integer"),
    ("header", "javascript", "flags", "node-headers template-null lower-hex"),
]
