"""Signers with the habits of C#, Kotlin, Swift, Rust and Lua programs, imitated in Python.

Reads jobs from stdin and writes the results to stdout; the argument is the language. Values are printed
as the documentation of the language describes, so its runtime is not needed.
"""

import json
import sys
import uuid
from datetime import datetime

sys.dont_write_bytecode = True

from signer import Number, Signer, compact, each_string, signed_as  # noqa: E402

LANGUAGES = {"csharp": {}, "kotlin": {}, "swift": {}, "rust": {}, "lua": {}}


def habit(*languages):
    def add(function):
        for language in languages:
            LANGUAGES[language][function.__name__.replace("_", "-")] = function
        return function

    return add


def pascal(name):
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def printed(value, maps, lists, scalar):
    """Prints a nested value as a language does, with its brackets around maps and lists."""
    if isinstance(value, dict):
        members = (f"{quoted(key)}: {printed(own, maps, lists, scalar)}" for key, own in value.items())
        return maps[0] + ", ".join(members) + maps[1]
    if isinstance(value, list):
        return lists[0] + ", ".join(printed(own, maps, lists, scalar) for own in value) + lists[1]
    return scalar(value)


# C#


@habit("csharp")
def bit_converter(signer):
    """BitConverter.ToString(hash): A4-87-…"""
    signer.hex = lambda digest: "-".join(f"{byte:02X}" for byte in digest.digest())


@habit("csharp")
def guid(signer):
    """new Guid(hash).ToString("N") prints the first bytes in another order."""
    signer.hex = lambda digest: uuid.UUID(bytes_le=digest.digest()).hex.upper()


@habit("csharp")
def encoding_unicode(signer):
    """Encoding.Unicode.GetBytes is UTF-16."""
    signer.encode = lambda text: text.encode("utf-16-le")


@habit("csharp")
def encoding_ascii(signer):
    """Encoding.ASCII.GetBytes: ? for each UTF-16 code unit outside ASCII."""
    signer.encode = lambda text: "".join(
        c if c.isascii() else "?" * (len(c.encode("utf-16-le")) // 2) for c in text
    ).encode()


@habit("csharp")
def bool_to_string(signer):
    signer.boolean = str


@habit("csharp")
def indented_token(signer):
    """JToken.ToString() is indented."""
    signer.nested = lambda value: json.dumps(json.loads(compact(value)), indent=2, ensure_ascii=False).replace(
        "\n", "\r\n"
    )


@habit("csharp")
def type_name(signer):
    """ToString() of a list is the name of its type."""
    signer.nested = lambda value: (
        "System.Collections.Generic.List`1[System.Object]" if isinstance(value, list) else compact(value)
    )


@habit("csharp")
def date_time_to_string(signer):
    """DateTime.ToString() in the culture en-US."""

    def text(value):
        moment = datetime.fromisoformat(value)
        return f"{moment.month}/{moment.day}/{moment.year} {moment.hour % 12 or 12}:{moment:%M:%S %p}"

    signed_as(signer, "start", text)


@habit("csharp")
def comma_decimals(signer):
    """double.ToString() in a culture with a decimal comma: 30,27."""
    signer.number = lambda value: str(value).replace(".", ",")


# Kotlin


@habit("kotlin")
def join_to_string(signer):
    """joinToString() uses the separator ", " by default."""
    signer.join = lambda pairs: ", ".join(f"{name}={text}" for name, text in pairs)


@habit("kotlin")
def null_in_template(signer):
    signer.keep = lambda name, value: True
    signer.null = "null"


@habit("kotlin")
def interceptor_headers(signer):
    """An interceptor of OkHttp signs every header."""
    signer.headers.append(("Content-Type", "application/json"))


# Swift


@habit("swift")
def description(signer):
    """"\\(dictionary)": ["name": "Li"]."""
    signer.nested = lambda value: printed(value, "[]", "[]", compact)


@habit("swift")
def optional_texts(signer):
    """Interpolation, "\\(text)", of an optional String."""
    each_string(signer, lambda text: f'Optional("{text}")')


@habit("swift")
def json_serialization(signer):
    """JSONSerialization escapes /."""
    signer.nested = lambda value: compact(value).replace("/", "\\/")


@habit("swift")
def date_description(signer):
    signed_as(signer, "start", lambda value: f"{datetime.fromisoformat(value)} +0000")


# Rust


@habit("rust")
def debug_value(signer):
    """format!("{:?}", value) of a serde_json value."""

    def scalar(value):
        kinds = {bool: "Bool", Number: "Number", str: "String"}
        return f"{kinds[type(value)]}({compact(value)})"

    signer.nested = lambda value: printed(value, ("Object {", "}"), ("Array [", "]"), scalar)


@habit("rust")
def value_to_string(signer):
    """to_string() of a serde_json text keeps its quotes."""
    each_string(signer, quoted)


@habit("rust")
def format_x(signer):
    """format!("{:x}") of the digest."""
    signer.hex = lambda digest: digest.hexdigest()


@habit("rust")
def format_debug(signer):
    """format!("{:?}") of the hexadecimal text adds quotes."""
    signer.hex = lambda digest: f'"{digest.hexdigest().upper()}"'


# Lua


@habit("lua")
def format_g(signer):
    """tostring(number) of Lua 5.1."""
    signed_as(signer, "driver_id", lambda value: f"{float(value):.14g}")


@habit("lua")
def empty_table(signer):
    """cjson writes an empty table as {}."""
    signer.nested = lambda value: compact(value).replace("[]", "{}")


@habit("lua")
def userdata(signer):
    """tostring(cjson.null)."""
    signer.keep = lambda name, value: True
    signer.null = "userdata: NULL"


def run(job, habits):
    signer = Signer(job)
    for name in job["habits"]:
        habits[name](signer)
    return signer.sign()


if __name__ == "__main__":
    habits = LANGUAGES[sys.argv[1]]
    json.dump([run(job, habits) for job in json.load(sys.stdin)], sys.stdout)
