"""The correct signature, written from the documents alone. It computes the stages of every vector."""

import hashlib
import json


class Number(str):
    """A number, kept as the characters of the JSON text."""


def read(text):
    return json.loads(text, parse_int=Number, parse_float=Number)


def compact(value):
    """The signed form of a JSON value: no spaces, the original key order, only necessary escapes."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{compact(key)}:{compact(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(compact, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def value_text(value):
    if value is None:
        return ""
    return str(value) if isinstance(value, str) else compact(value)


def body_entries(fields):
    """Protocol 1.0: every field except sign and null values."""
    return {name: value_text(value) for name, value in fields.items() if name != "sign" and value is not None}


def header_entries(headers, fields):
    """Protocol 2.0: every X-TMS- header except X-TMS-Sign, and every field, even empty ones."""
    signed = {name: value for name, value in headers if name.startswith("X-TMS-") and name != "X-TMS-Sign"}
    return signed | {name: value_text(value) for name, value in fields.items()}


def stages(entries, secret):
    pairs = sorted(entries.items(), key=lambda pair: pair[0].encode("utf-16-be"))
    canonical = "&".join(f"{name}={value}" for name, value in pairs)
    return {"entries": pairs, "canonical": canonical, "string_to_sign": canonical + secret}


def signature(string_to_sign):
    return hashlib.md5(string_to_sign.encode()).hexdigest().upper()
