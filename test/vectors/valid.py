"""Correctly signed requests that a verifier with a bug might reject."""

from cases import CSV, PNG, Template, upload, uploads


def deep(levels):
    return '{"next":' * levels + '{"stop":"文三路"}' + "}" * levels


# id: comment, modes, request
VALID = {
    "white-space": (
        "White space around and inside the JSON",
        "body header",
        Template(
            '\n {\n  "city" : "330100",\r\n\t"stops": [ {"lon": 120.15515, "lat": 30.27415} ],\n  "car_type":2 }\n\n'
        ),
    ),
    "spaced-nested": (
        "A body printed by Python; nested values are signed in compact form",
        "body header",
        Template('{"passenger": {"name": "Zo\\u00eb", "seats": [1, 2]}, "city_name": "\\u676d\\u5dde", "pay_type": 1}'),
    ),
    "escapes": (
        "Escapes in the body are signed as characters",
        "body header",
        Template(
            '{"remark":"\\u4e2d\\u6587 \\ud83d\\ude95 \\/ \\u0041",'
            '"stop":{"addr":"a\\/b \\u4e2d","note":"\\u0022x\\u005c"}}'
        ),
    ),
    "control-characters": (
        "Control characters are signed unchanged in a text, and escaped in nested JSON",
        "body header",
        Template('{"remark":"a\\tb\\u0001c\\bd\\fe","nested":{"note":"a\\tb\\u0001c\\bd\\fe"},"car_type":2}'),
    ),
    "line-separators": (
        "U+2028, U+2029, U+007F and U+00A0 are ordinary characters",
        "body header",
        Template('{"remark":"a\u2028b\u2029c\u007fd\u00a0e","nested":{"note":"a\u2028b\u2029c\u007fd\u00a0e"}}'),
    ),
    "empty-values": (
        "Empty texts, objects and arrays are signed",
        "body header",
        Template('{"remark":"","stops":[],"extra":{},"lists":[[],{},[{}],""],"contact":{"name":"","tags":[]}}'),
    ),
    "nulls": (
        "Null is omitted in body mode, empty in header mode, and kept in nested JSON",
        "body header",
        Template('{"coupon_id":null,"flight_no":null,"passenger":{"email":null,"tags":[null]},"car_type":2}'),
    ),
    "words-as-text": (
        "The texts null, true and 1.0 are strings like any other",
        "body header",
        Template('{"a":"null","b":"true","c":"1.0","d":" ","e":"undefined","f":true,"g":1.0}'),
    ),
    "unicode": (
        "Many scripts, an emoji of several code points, a combining mark, a zero width space",
        "body header",
        Template(
            '{"zh":"杭州市","ja":"タクシー","ar":"سيارة","el":"ταξί",'
            '"emoji":"👩‍👧🚕","mark":"e\u0301","zero":"a\u200bb","bom":"\ufeffx"}'
        ),
    ),
    "utf-16-order": (
        "Names sort by UTF-16 code unit: a surrogate pair comes before U+FF5E",
        "body header",
        Template('{"～":"1","🚕":"2","城市":"3","zone":"4","Zone":"5","é":"6"}'),
    ),
    "big-numbers": (
        "Numbers of any length keep their spelling",
        "body header",
        Template(
            '{"id":3791411052119578828,"huge":123456789012345678901234567890,"neg":-0,"e":1E+2,"tiny":1e-7,'
            '"zeros":0.1000,'
            '"list":[1.0,-0.0,2e0,9007199254740993]}'
        ),
    ),
    "mixed-case-names": (
        "Capitals, digits and underscores in names",
        "body header",
        Template(
            '{"userId":"1","UserId":"2","userid":"3","user_id":"4","user2":"5",'
            '"USER":"6","_user":"7","user-id":"8","user.id":"9"}'
        ),
    ),
    "deep-nested": ("Twenty levels of objects", "body header", Template(f'{{"route":{deep(20)},"city":"330100"}}')),
    "key-order": (
        "Nested keys keep their order, even numeric keys",
        "body header",
        Template('{"seats":{"10":"a","9":"b","z":1,"a":{"2":1,"1":2}},"city":"330100"}'),
    ),
    "separators": (
        "The separators of the string to sign, inside a value",
        "body header",
        Template('{"query":"a=1&b=2&key=x","rate":"100%25 + 5","empty_pair":"=&=","html":"<b>&amp;</b>"}'),
    ),
    "long-text": (
        "A text of 4000 characters",
        "body header",
        Template('{"remark":"' + "杭州 taxi " * 500 + '","car_type":2}'),
    ),
    "no-business-fields": ("Only the common fields", "body header", Template("{}")),
    "secret-with-symbols": (
        "A secret that is not hexadecimal",
        "body header",
        Template('{"bill_date":"2026-11-19","bill_type":1,"tar_type":1}', secret="p&ss=wörd %20+密"),
    ),
    "sign-first": (
        "The field sign comes first",
        "body",
        Template('{"city":"330100","lat":30.27415,"lon":120.15515}', sign_first=True),
    ),
    "without-nonce": (
        "The nonce is optional",
        "header",
        Template('{"city":"330100","lat":30.27415}', nonce=False),
    ),
    "milliseconds": (
        "A timestamp in milliseconds",
        "header",
        Template('{"city":"330100","lat":30.27415}', milliseconds=True),
    ),
    "extra-headers": (
        "Every X-TMS- header is signed with its original case, even an empty one",
        "header",
        Template(
            '{"city":"330100","lat":30.27415}',
            extra_headers=(("X-TMS-trace", "t 1"), ("X-TMS-Channel", ""), ("X-TMS-APP", "a=b&c"), ("X-Other", "no")),
        ),
    ),
    "multipart-image": (
        "Form fields are signed, the bytes of the file are not",
        "header",
        upload("photo", "trunk.png", "image/png", PNG),
    ),
    "multipart-files": (
        "Two files: one with a Chinese name, one that contains a line like a boundary",
        "header",
        uploads(
            ("list", "站点.csv", "text/csv", CSV),
            ("log", "app.log", "text/plain", b"--boundary\r\n--\r\n\r\n\x00\xff"),
            milliseconds=True,
        ),
    ),
}
