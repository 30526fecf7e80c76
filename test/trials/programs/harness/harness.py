"""Signs cases with the functions of sign.py; cases.ts describes its input and output."""

import base64
import sys

import sign


def decoded(field):
    return base64.b64decode(field).decode("utf-8")


def encoded(text):
    return base64.b64encode(text.encode("utf-8")).decode("ascii")


for line in sys.stdin:
    body, api_key, secret, headers = map(decoded, line.rstrip("\n").split("\t"))
    try:
        if sys.argv[1] == "body":
            print(encoded(sign.sign_body(body, api_key, secret)))
        else:
            given = dict(line.split(": ", 1) for line in headers.splitlines())
            sent, json_text = sign.sign_headers(body, given, api_key, secret)
            lines = "\n".join(f"{name}: {value}" for name, value in sent.items())
            print(encoded(json_text), encoded(lines), sep="\t")
    except ValueError as error:
        print("error", encoded(str(error)), sep="\t")
