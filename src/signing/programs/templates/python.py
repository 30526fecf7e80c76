"""Signs a request to the mobility open platform and sends it.
{{#body}}
Protocol 1.0: the common fields and the signature are part of the body.
{{/body}}
{{#header}}
Protocol 2.0: the common fields and the signature are headers.
{{/header}}

Run it with the secret in the variable MOP_API_SECRET: python3 sign.py
"""

import hashlib
import http.client
import json
import os
import secrets
import string
import sys
import time
import urllib.parse
import uuid

URL = {{url}}
{{#sandbox}}
# The sandbox: start it with `mop sandbox`, and set MOP_API_SECRET=sandbox-secret.
{{/sandbox}}
API_KEY = {{api_key}}
BODY = {{request_body}}
{{#header}}
# X-TMS-* headers to send and sign besides the generated ones.
HEADERS = {{headers}}
{{/header}}


class Number(str):
    """A number as written in the JSON text: float("1.0") and int("-0") would change it."""


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def read_fields(json_text):
    """Reads a JSON object as a list of (name, value). Nested objects are tuples of such pairs:
    a dict would drop all but the last of several fields with one name.
    """
    fields = json.loads(
        json_text,
        parse_int=Number,
        parse_float=Number,
        parse_constant=refuse_constant,
        object_pairs_hook=tuple,
    )
    if not isinstance(fields, tuple):
        raise ValueError("the body is not a JSON object")
    names = [name for name, _ in fields]
    for name in names:
        name.encode("utf-8")  # Refuses half a surrogate pair.
        if names.count(name) > 1:
            raise ValueError(f"the field {name!r} occurs twice")
    return list(fields)


def json_of(value):
    """Writes a value as compact JSON.

    json.dumps(value) would add spaces, escape non-ASCII characters, and reformat numbers.
    """
    if isinstance(value, Number):
        return value
    if isinstance(value, tuple):
        pairs = []
        for name, item in value:
            pairs.append(json_of(name) + ":" + json_of(item))
        return "{" + ",".join(pairs) + "}"
    if isinstance(value, list):
        items = []
        for item in value:
            items.append(json_of(item))
        return "[" + ",".join(items) + "]"
    text = json.dumps(value, ensure_ascii=False)
    # UTF-8 cannot encode half a surrogate pair, so it stays an escape.
    return "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in text)


def text_of(value):
    """The text of a value in the signature: str(True) would be "True", str([]) not JSON."""
    return value if isinstance(value, str) else json_of(value)


def signature(fields, secret):
    """MD5 of the sorted name=value pairs and the secret, in upper-case hex."""
    # Names are sorted by UTF-16 code unit. sorted() alone sorts by code point, which puts an
    # emoji after U+FFFD.
    pairs = sorted(fields, key=lambda field: field[0].encode("utf-16-be"))
    canonical = "&".join(f"{name}={text}" for name, text in pairs)
    return hashlib.md5((canonical + secret).encode("utf-8")).hexdigest().upper()


{{#nonce}}
def new_nonce():
    alphabet = string.ascii_letters + string.digits
    return "".join(secrets.choice(alphabet) for _ in range(10))


{{/nonce}}
{{#body}}
def sign_body(json_text, api_key, secret):
    """Signs a request. Returns the JSON to send: the fields of json_text in their order, missing
    common fields, and the signature.
    """
    common = {
        "api_key": api_key,
        "seq_id": str(uuid.uuid4()),
        "timestamp": Number(int(time.time())),
        "nonce": new_nonce(),
    }
    fields = [
        (name, value)
        for name, value in read_fields(json_text)
        if name != "sign" and not (value is None and name in common)
    ]
    names = {name for name, _ in fields}
    fields += [(name, value) for name, value in common.items() if name not in names]
    # Fields that are null are sent and not signed.
    signed = [(name, text_of(value)) for name, value in fields if value is not None]
    fields.append(("sign", signature(signed, secret)))
    return json_of(tuple(fields))


{{/body}}
{{#header}}
def sign_headers(json_text, headers, api_key, secret):
    """Signs a request. Returns the X-TMS-* headers and the JSON to send."""
    fields = read_fields(json_text)
    given = {name.lower() for name in headers}
    generated = {
        "X-TMS-Sign-Ver": "2.0",
        "X-TMS-Api-Key": api_key,
{{#s}}
        "X-TMS-Timestamp": str(int(time.time())),
{{/s}}
{{#ms}}
        "X-TMS-Timestamp": str(time.time_ns() // 1_000_000),
{{/ms}}
        "X-TMS-Seq-Id": str(uuid.uuid4()),
{{#nonce}}
        "X-TMS-Nonce": new_nonce(),
{{/nonce}}
    }
    headers = {
        **{name: value for name, value in generated.items() if name.lower() not in given},
        **headers,
    }
    signed = list(headers.items())
    for name, value in fields:
{{#omit}}
        if value is None:
            continue  # null is sent and not signed
{{/omit}}
        if name in headers:
            raise ValueError(f"the body has a field named like the header {name}")
{{#omit}}
        signed.append((name, text_of(value)))
{{/omit}}
{{#empty}}
        # null is signed as an empty text.
        signed.append((name, "" if value is None else text_of(value)))
{{/empty}}
{{#text}}
        signed.append((name, text_of(value)))
{{/text}}
    headers["X-TMS-Sign"] = signature(signed, secret)
    return headers, json_of(tuple(fields))


{{/header}}
def post(url, json_text, headers):
    """Sends a request. Returns the HTTP status and the answer.

    http.client keeps the case of header names, which is signed; urllib.request changes it.
    """
    place = urllib.parse.urlsplit(url)
    is_https = place.scheme == "https"
    connect = http.client.HTTPSConnection if is_https else http.client.HTTPConnection
    connection = connect(place.hostname, place.port, timeout=30)
    try:
        target = urllib.parse.urlunsplit(("", "", place.path, place.query, ""))
        connection.request(
            "POST",
            target,
            # Text would be encoded as Latin-1.
            body=json_text.encode("utf-8"),
            headers={"Content-Type": "application/json", **headers},
        )
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def main():
    secret = os.environ.get("MOP_API_SECRET")
    if not secret:
        sys.exit("error: set MOP_API_SECRET to the API secret")
    try:
{{#body}}
        headers, json_text = {}, sign_body(BODY, API_KEY, secret)
{{/body}}
{{#header}}
        headers, json_text = sign_headers(BODY, HEADERS, API_KEY, secret)
{{/header}}
        status, answer = post(URL, json_text, headers)
    except (ValueError, OSError, http.client.HTTPException) as error:
        sys.exit(f"error: {error}")
    sys.stdout.buffer.write(answer + b"\n")
    if status >= 400:
        sys.exit(f"error: HTTP status {status}")


if __name__ == "__main__":
    main()
