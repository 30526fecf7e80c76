"""A signer with the habits of Python programs. Reads jobs from stdin and writes the results to stdout."""

import base64
import hashlib
import hmac
import html
import json
import re
import sys
import unicodedata
from datetime import datetime
from pathlib import Path
from urllib.parse import quote, quote_plus

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent.parent))

from reference import Number, compact, read  # noqa: E402

HABITS = {}


def habit(function):
    """Registers a habit, which replaces or wraps one step of a correct signer."""
    HABITS[function.__name__.replace("_", "-")] = function
    return function


class Signer:
    def __init__(self, job):
        self.header_mode = job["mode"] == "header"
        self.secret = job["secret"]
        self.other_secret = job["other_secret"]
        self.headers = [(name, value) for name, value in job["headers"] if name.startswith("X-TMS-")]
        self.business = list(read(job["body"]).items()) if "body" in job else [tuple(pair) for pair in job["form"]]
        self.files = job.get("files", [])
        self.null = ""

    def fields(self):
        return self.headers + self.business

    def name(self, name):
        return name

    def keep(self, name, value):
        return self.header_mode or value is not None

    def string(self, value):
        return value

    def number(self, value):
        return str(value)

    def boolean(self, value):
        return "true" if value else "false"

    def nested(self, value):
        return compact(value)

    def text(self, value):
        if value is None:
            return self.null
        if isinstance(value, bool):
            return self.boolean(value)
        if isinstance(value, Number):
            return self.number(value)
        return self.string(value) if isinstance(value, str) else self.nested(value)

    def sort(self, pairs):
        return sorted(pairs)

    def join(self, pairs):
        return "&".join(f"{name}={text}" for name, text in pairs)

    def seal(self, src1):
        return src1 + self.secret

    def encode(self, text):
        return text.encode("utf-8", "surrogateescape")

    def digest(self, src1):
        return hashlib.md5(self.encode(self.seal(src1)))

    def hex(self, digest):
        return digest.hexdigest().upper()

    def sign(self):
        kept = [(name, value) for name, value in self.fields() if self.keep(name, value)]
        pairs = self.sort([(self.name(name), self.text(value)) for name, value in kept])
        src1 = self.join(pairs)
        return {"canonical": src1, "sign": self.hex(self.digest(src1))}


def plain(value):
    """The value as json.loads returns it."""
    return json.loads(compact(value))


def each_string(signer, change):
    signer.string = change


def each_text(signer, change):
    text = signer.text
    signer.text = lambda value: change(text(value))


def signed_as(signer, name, change):
    """Signs a field or header with a text that differs from the one sent."""
    signer.headers = [(own, change(value) if own == name else value) for own, value in signer.headers]
    signer.business = [(own, change(value) if own == name else value) for own, value in signer.business]


# The secret


@habit
def secret_readline(signer):
    """open(path).readline() keeps the end of the line."""
    signer.secret += "\n"


@habit
def secret_stripped(signer):
    """strip() on a secret that really ends in a space."""
    signer.secret = signer.secret.strip()


@habit
def secret_of_staging(signer):
    signer.secret = signer.other_secret


@habit
def key_joined(signer):
    """As payment platforms require: …&key=SECRET."""
    signer.seal = lambda src1: f"{src1}&key={signer.secret}"


@habit
def secret_at_both_ends(signer):
    signer.seal = lambda src1: signer.secret + src1 + signer.secret


@habit
def secret_as_parameter(signer):
    """params["api_secret"] = … before sorted()."""
    signer.sort = lambda pairs: sorted(pairs + [("api_secret", signer.secret)])
    signer.seal = lambda src1: src1


@habit
def key_for_secret(signer):
    """settings.API_KEY instead of settings.API_SECRET."""
    signer.seal = lambda src1: src1 + dict(signer.business)["api_key"]


# Fields and headers to sign


@habit
def placeholder_sign(signer):
    """The dictionary already contains "sign": "" when it is signed."""
    signer.business.append(("sign", ""))


@habit
def placeholder_header(signer):
    """The header dictionary already contains "X-TMS-Sign": "" when it is signed."""
    signer.headers.append(("X-TMS-Sign", ""))


@habit
def truthy_strings(signer):
    """if value != "" and value is not None."""
    signer.keep = lambda name, value: value != "" and value is not None


@habit
def none_dropped(signer):
    """{k: v for k, v in params.items() if v is not None}."""
    signer.keep = lambda name, value: value is not None


@habit
def none_as_json(signer):
    """json.dumps(None)."""
    signer.keep = lambda name, value: True
    signer.null = "null"


@habit
def none_as_str(signer):
    """f"{None}"."""
    signer.keep = lambda name, value: True
    signer.null = "None"


@habit
def without_nonce(signer):
    signer.keep = lambda name, value: name != "nonce" and value is not None


@habit
def business_only(signer):
    """The common fields are added after signing."""
    common = ("api_key", "seq_id", "timestamp", "nonce")
    signer.keep = lambda name, value: name not in common and value is not None


@habit
def body_only(signer):
    """No header is signed."""
    signer.headers = []


@habit
def without_version(signer):
    """The session adds X-TMS-Sign-Ver after signing."""
    signer.headers = [pair for pair in signer.headers if pair[0] != "X-TMS-Sign-Ver"]


@habit
def milliseconds_signed(signer):
    """int(time.time()) * 1000 is signed, int(time.time()) is sent."""
    signed_as(signer, "timestamp", lambda seconds: f"{seconds}000")


@habit
def file_name(signer):
    signer.business += [(file["name"], file["filename"]) for file in signer.files]


@habit
def file_content(signer):
    for file in signer.files:
        content = base64.b64decode(file["content"]).decode("utf-8", "surrogateescape")
        signer.business.append((file["name"], content))


@habit
def other_protocol(signer):
    """The rules of the other protocol version."""
    titles = {"api_key": "Api-Key", "timestamp": "Timestamp", "seq_id": "Seq-Id", "nonce": "Nonce"}
    if signer.header_mode:
        names = {f"X-TMS-{title}": name for name, title in titles.items()}
        signer.headers = [(names[name], value) for name, value in signer.headers if name in names]
        signer.keep = lambda name, value: value is not None
    else:
        version = [("X-TMS-Sign-Ver", "2.0")]
        signer.business = version + [
            (f"X-TMS-{titles[name]}" if name in titles else name, value) for name, value in signer.business
        ]
        signer.keep = lambda name, value: True


# Names, their order and how the pairs are joined


@habit
def insertion_order(signer):
    signer.sort = lambda pairs: pairs


@habit
def sorted_lower(signer):
    """sorted(params, key=str.lower)."""
    signer.sort = lambda pairs: sorted(pairs, key=lambda pair: pair[0].lower())


@habit
def wsgi_names(signer):
    """environ contains HTTP_X_TMS_API_KEY, so the original case of the name is lost."""
    signer.name = lambda name: name.upper() if name.startswith("X-TMS-") else name


@habit
def no_separators(signer):
    signer.join = lambda pairs: "".join(name + text for name, text in pairs)


@habit
def body_dumped(signer):
    """json.dumps(params, sort_keys=True) instead of the pairs."""
    signer.join = lambda _: compact(dict(sorted(signer.business)))


@habit
def body_appended(signer):
    """The headers as pairs, then the text of the body."""
    signer.join = lambda _: "&".join(f"{k}={v}" for k, v in sorted(signer.headers)) + compact(dict(signer.business))


# The text of values


@habit
def json_dumps(signer):
    """json.dumps(value): spaces after , and :, and \\uXXXX."""
    signer.nested = lambda value: json.dumps(plain(value))


@habit
def json_dumps_utf8(signer):
    signer.nested = lambda value: json.dumps(plain(value), ensure_ascii=False)


@habit
def json_dumps_compact(signer):
    signer.nested = lambda value: json.dumps(plain(value), separators=(",", ":"))


@habit
def json_sort_keys(signer):
    signer.nested = lambda value: json.dumps(plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@habit
def json_indent(signer):
    signer.nested = lambda value: json.dumps(plain(value), indent=4, ensure_ascii=False)


@habit
def str_dict(signer):
    """str(value): {'name': …}."""
    signer.nested = lambda value: str(plain(value))


@habit
def json_every_value(signer):
    """json.dumps for every value puts quotes around strings."""
    signer.string = lambda value: json.dumps(value, ensure_ascii=False)


@habit
def str_bool(signer):
    signer.boolean = str


@habit
def str_float(signer):
    """str(json.loads(…)): 30.10 becomes 30.1, 1e2 becomes 100.0."""
    signer.number = lambda value: str(json.loads(value))
    signer.nested = lambda value: json.dumps(plain(value), separators=(",", ":"), ensure_ascii=False)


@habit
def six_decimals(signer):
    """f"{value:f}" for every float."""
    signer.number = lambda value: f"{float(value):f}" if isinstance(json.loads(value), float) else str(value)


@habit
def quoted(signer):
    """quote(), which does not encode /."""
    each_text(signer, quote)


@habit
def quoted_plus(signer):
    """Encodes every value as urlencode(params) does."""
    each_text(signer, quote_plus)


@habit
def quoted_whole(signer):
    """quote() over the joined string."""
    join = signer.join
    signer.join = lambda pairs: quote(join(pairs), safe="")


@habit
def html_escaped(signer):
    """html.escape(), as a template's filter does."""
    each_text(signer, html.escape)


@habit
def html_unescaped(signer):
    """html.unescape() over the joined string: &times is an entity."""
    join = signer.join
    signer.join = lambda pairs: html.unescape(join(pairs))


@habit
def nfd(signer):
    """Decomposed text, as in file names on a Mac."""
    each_text(signer, lambda text: unicodedata.normalize("NFD", text))


@habit
def nfc(signer):
    each_text(signer, lambda text: unicodedata.normalize("NFC", text))


@habit
def universal_newlines(signer):
    """A file opened in text mode contains LF for CRLF."""
    each_string(signer, lambda text: re.sub(r"\r\n?", "\n", text))


@habit
def datetime_printed(signer):
    """str(datetime.fromisoformat(value)) prints a space instead of the T."""
    signed_as(signer, "start", lambda value: str(datetime.fromisoformat(value)))


@habit
def price_in_cents(signer):
    """f"{price:.2f}" for a single field."""
    signed_as(signer, "price", lambda value: f"{float(value):.2f}")


@habit
def days_dumped(signer):
    """str() of a single list."""
    signed_as(signer, "days", lambda value: str(plain(value)))


# The bytes and their digest


@habit
def gbk(signer):
    signer.encode = lambda text: text.encode("gbk")


@habit
def latin1(signer):
    signer.encode = lambda text: text.encode("latin-1", "replace")


@habit
def utf_8_sig(signer):
    signer.encode = lambda text: text.encode("utf-8-sig")


@habit
def read_as_cp1252(signer):
    """A console reads UTF-8 as Windows-1252 and drops undefined bytes."""
    signer.encode = lambda text: text.encode().decode("cp1252", "ignore").encode()


@habit
def hexdigest(signer):
    signer.hex = lambda digest: digest.hexdigest()


@habit
def hex_prefixed(signer):
    signer.hex = lambda digest: f"0x{digest.hexdigest().upper()}"


@habit
def middle_digits(signer):
    """hexdigest()[8:24]: the short form of MD5."""
    signer.hex = lambda digest: digest.hexdigest()[8:24].upper()


@habit
def hmac_md5(signer):
    signer.digest = lambda src1: hmac.new(signer.secret.encode(), signer.encode(src1), "md5")


@habit
def hmac_md5_sealed(signer):
    """The secret is the key of the HMAC and also the end of the text."""
    signer.digest = lambda src1: hmac.new(signer.secret.encode(), signer.encode(signer.seal(src1)), "md5")


@habit
def pairs_hashed_first(signer):
    """md5(md5(src1) + secret): the text before the secret is a digest."""
    join = signer.join
    signer.join = lambda pairs: hashlib.md5(signer.encode(join(pairs))).hexdigest()


@habit
def sha1(signer):
    signer.digest = lambda src1: hashlib.sha1(signer.encode(signer.seal(src1)))


@habit
def sha256(signer):
    signer.digest = lambda src1: hashlib.sha256(signer.encode(signer.seal(src1)))


@habit
def sm3(signer):
    signer.digest = lambda src1: hashlib.new("sm3", signer.encode(signer.seal(src1)))


def run(job):
    signer = Signer(job)
    for name in job["habits"]:
        HABITS[name](signer)
    try:
        return signer.sign()
    except (UnicodeEncodeError, KeyError) as error:
        return {"error": str(error)}


if __name__ == "__main__":
    json.dump([run(job) for job in json.load(sys.stdin)], sys.stdout)
