"""Requests of both modes, without and with their signature."""

import base64
import json
import uuid
import zlib
from dataclasses import dataclass

import reference
from cases import Template

OTHER_SECRET = "51d0c7e2b8a94f6e9c3d7a1180b2f46e"
BOUNDARY = "----mop7MA4YWxkTrZu0gW"


def with_common(body, common):
    """Puts the common fields in front of the others."""
    start = body.index("{") + 1
    comma = "" if body[start:].lstrip().startswith("}") else ","
    return body[:start] + json.dumps(common, separators=(",", ":"))[1:-1] + comma + body[start:]


def with_sign(body, sign, first):
    field = f'"sign":{json.dumps(sign)}'
    if first:
        return body.replace("{", f"{{{field},", 1)
    end = body.rindex("}")
    return f"{body[:end]},{field}{body[end:]}"


def signed_headers(common):
    titles = {"api_key": "Api-Key", "timestamp": "Timestamp", "seq_id": "Seq-Id", "nonce": "Nonce"}
    own = [[f"X-TMS-{title}", str(common[name])] for name, title in titles.items() if name in common]
    return [["X-TMS-Sign-Ver", "2.0"], *own]


def multipart(template):
    parts = [(f'name="{name}"', value.encode()) for name, value in template.form]
    for file in template.files:
        head = f'name="{file["name"]}"; filename="{file["filename"]}"\r\nContent-Type: {file["type"]}'
        parts.append((head, base64.b64decode(file["content"])))
    blocks = [
        f"--{BOUNDARY}\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode() + content + b"\r\n"
        for head, content in parts
    ]
    return b"".join(blocks) + f"--{BOUNDARY}--\r\n".encode()


@dataclass
class Request:
    mode: str
    template: Template
    common: dict

    def __post_init__(self):
        self.headers, self.body = [], self.template.business
        if self.mode == "body":
            self.body = with_common(self.body, self.common)
        else:
            self.headers = signed_headers(self.common) + [list(header) for header in self.template.extra_headers]

    def fields(self):
        return dict(self.template.form) if self.template.form else reference.read(self.body)

    def entries(self):
        if self.mode == "body":
            return reference.body_entries(self.fields())
        return reference.header_entries(self.headers, self.fields())

    def names(self):
        return [name for name, _ in self.headers] + list(self.fields())

    def flags(self):
        values = self.fields().values()
        found = {
            "unicode": any(not text.isascii() for text in self.entries().values()),
            "null": None in values,
            "nested": any(isinstance(value, (dict, list)) for value in values),
            "multipart": bool(self.template.form),
        }
        return [flag for flag, present in found.items() if present]

    def job(self, habits):
        """The input of a signer."""
        form = {"form": self.template.form, "files": self.template.files}
        content = form if self.template.form else {"body": self.body}
        return {
            "mode": self.mode,
            "secret": self.template.secret,
            "other_secret": OTHER_SECRET,
            "headers": self.headers,
            "habits": habits,
            **content,
        }

    def sent(self, sign):
        if self.template.form:
            content_type, body = f"multipart/form-data; boundary={BOUNDARY}", multipart(self.template)
        elif self.mode == "body":
            content_type, body = "application/json", with_sign(self.body, sign, self.template.sign_first).encode()
        else:
            content_type, body = "application/json", self.body.encode()
        headers = [["Content-Type", content_type], *self.headers]
        if self.mode == "header":
            headers.append(["X-TMS-Sign", sign])
        return {"headers": headers, "body": base64.b64encode(body).decode()}


def request(mode, template, key):
    """Derives the time, sequence number and nonce from the key, so every run builds the same request."""
    seed = zlib.crc32(f"{mode}-{key}".encode())
    seconds = 1795132800 + seed % 86400
    common = {
        "api_key": "k-20481",
        "seq_id": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{mode}-{key}")),
        "timestamp": seconds * 1000 + seed % 1000 if template.milliseconds else seconds,
        "nonce": f"{seed:010d}",
    }
    if not template.nonce:
        del common["nonce"]
    return Request(mode, template, common)
