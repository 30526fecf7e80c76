"""Signs a request to the mobility open platform and sends it.
Protocol 1.0: the common fields and the signature are part of the body.

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

URL = "http://127.0.0.1:7800/open/v1/trade/bill"
# The sandbox: start it with `mop sandbox`, and set MOP_API_SECRET=sandbox-secret.
API_KEY = "sandbox"
BODY = '{"bill_date":"2026-11-19","bill_type":0,"tar_type":1}'


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


def new_nonce():
    alphabet = string.ascii_letters + string.digits
    return "".join(secrets.choice(alphabet) for _ in range(10))


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
        headers, json_text = {}, sign_body(BODY, API_KEY, secret)
        status, answer = post(URL, json_text, headers)
    except (ValueError, OSError, http.client.HTTPException) as error:
        sys.exit(f"error: {error}")
    sys.stdout.buffer.write(answer + b"\n")
    if status >= 400:
        sys.exit(f"error: HTTP status {status}")


if __name__ == "__main__":
    main()
