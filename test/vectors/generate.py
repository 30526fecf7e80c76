"""Rebuilds body.json and header.json: runs the signer of every language on the requests of cases.py."""

import json
import sys
from pathlib import Path
from subprocess import PIPE, run

sys.dont_write_bytecode = True

import reference  # noqa: E402
from cases import COMMON_AFFECTED, HABITS, COMBINATIONS, TEMPLATES, Template  # noqa: E402
from valid import VALID  # noqa: E402
from wire import OTHER_SECRET, Request, request  # noqa: E402

HERE = Path(__file__).parent
SCHEMA = json.loads((HERE / "vector.schema.json").read_text())
IDS = SCHEMA["$defs"]["diagnosisId"]["enum"]
GIVEN = json.loads((HERE.parent / "signing/vectors/signing.json").read_text())
COMMANDS = {
    "python": ["python3", "signers/signer.py"],
    "php": ["php", "signers/signer.php"],
    "go": ["go", "run", "signers/signer.go"],
    "java": ["java", "signers/Signer.java"],
    "javascript": ["node", "signers/signer.js"],
    "ruby": ["ruby", "signers/signer.rb"],
    "bash": ["bash", "signers/signer.sh"],
}
# Imitated in Python, so their runtimes are not needed
SIMULATED = {"csharp": "C#", "kotlin": "Kotlin", "swift": "Swift", "rust": "Rust", "lua": "Lua"}
COMMANDS |= {language: ["python3", "signers/simulated.py", language] for language in SIMULATED}


def vector(key, comment, flags, case, sign=None, diagnosis=(), canonical=None):
    """A valid vector, or an invalid one if `sign` is given."""
    stages = reference.stages(case.entries(), case.template.secret)
    signature = reference.signature(stages["string_to_sign"])
    assert sign != signature, f"{key} has a correct signature"
    made = {
        "id": key,
        "comment": comment,
        "flags": [*flags, *case.flags()],
        "secret": case.template.secret,
        "request": case.sent(sign or signature),
        "stages": stages,
        "signature": signature,
        "result": "invalid" if sign else "valid",
        "diagnosis": list(diagnosis),
    }
    if any(entry["id"] == "secret-other-profile" for entry in diagnosis):
        made["other_secrets"] = [OTHER_SECRET]
    if canonical is not None:
        made["their_canonical"] = canonical
    return made


class WrongRequest:
    """A request signed with some habits of a language."""

    def __init__(self, mode, language, template, habits, affected=None):
        self.mode, self.language, self.template = mode, language, template
        self.habits = habits.split()
        self.known = [HABITS[language][name] for name in self.habits]
        self.ids = sorted({key for habit in self.known for key in habit.ids}, key=IDS.index)
        self.affected = affected or {}
        self.key = f"{language}-{'-'.join(self.habits)}"
        self.request = request(mode, TEMPLATES[template], self.key)

    def fields_of(self, key):
        affected = self.affected.get(key)
        if affected is None:
            affected = next(habit.affected for habit in self.known if key in habit.ids)
        if isinstance(affected, dict):
            affected = affected.get(self.mode)
        if affected is None:
            affected = [*TEMPLATES[self.template].affected.get(key, []), *COMMON_AFFECTED[self.mode].get(key, [])]
        order = [*self.request.names(), *affected]
        return sorted(affected, key=order.index)

    def vector(self, answer):
        simulated = SIMULATED.get(self.language)
        name = f"{simulated} (simulated)" if simulated else self.language.capitalize()
        comment = f"{name}: {'; '.join(habit.description for habit in self.known)}"
        flags = [self.language, *(["simulated"] if simulated else []), ("single", "pair", "triple")[len(self.ids) - 1]]
        diagnosis = [{"id": key, "fields": self.fields_of(key)} for key in self.ids]
        canonical = answer["canonical"]
        if "secret-sorted-in" in self.ids or not is_text(canonical):
            canonical = None
        return vector(self.key, comment, flags, self.request, answer["sign"], diagnosis, canonical)


def is_text(canonical):
    """False for a string with bytes of a file, which Python decodes to lone surrogates and PHP to U+FFFD."""
    return not any("\udc80" <= c <= "\udcff" or c == "\ufffd" for c in canonical)


def run_signers(jobs):
    """Runs the signer of each language. The jobs and the returned answers are lists by language."""
    answers = {}
    for language, language_jobs in jobs.items():
        done = run(COMMANDS[language], input=json.dumps(language_jobs), stdout=PIPE, text=True, cwd=HERE, check=True)
        answers[language] = json.loads(done.stdout)
    return answers


def wrong_vectors():
    singles = [
        WrongRequest(mode, language, template, name)
        for language, habits in HABITS.items()
        for name, habit in habits.items()
        for mode, template in (("body", habit.body), ("header", habit.header))
        if template
    ]
    cases = singles + [WrongRequest(*combination) for combination in COMBINATIONS]
    jobs = {language: [] for language in HABITS}
    for case in cases:
        jobs[case.language].append(case.request.job(case.habits))
    answers = {language: iter(results) for language, results in run_signers(jobs).items()}
    return [(case.mode, case.vector(next(answers[case.language]))) for case in cases]


def given_vectors():
    for given in GIVEN:
        for mode in ("body", "header"):
            yield mode, given_vector(mode, given)


def given_vector(mode, given):
    """A case of signing.json, after checking that the reference computes the same signature."""
    common = {name: given[name] for name in ("api_key", "seq_id", "timestamp", "nonce")}
    body = given["body"] if mode == "header" else given["body"].replace('"sign":"XXXX",', "")
    extra_headers = given["header_mode"]["extra_headers"]
    case = Request(mode, Template(body, secret=given["secret"], extra_headers=extra_headers), common)
    made = vector(f"given-{given['id']}", given["comment"], ["given"], case)
    expected = given[f"{mode}_mode"]
    assert (made["stages"]["canonical"], made["signature"]) == (expected["canonical"], expected["sign"]), made["id"]
    return made


def valid_vectors():
    for key, (comment, modes, template) in VALID.items():
        for mode in modes.split():
            yield mode, vector(key, comment, [], request(mode, template, key))


def dump(value, indent=""):
    """Prints JSON with an indent of one space, and lists of strings on one line."""
    inner = indent + " "
    if isinstance(value, dict) and value:
        items = [f"{json.dumps(key)}: {dump(item, inner)}" for key, item in value.items()]
        return "{\n" + ",\n".join(inner + item for item in items) + f"\n{indent}}}"
    if isinstance(value, (list, tuple)) and not all(isinstance(item, str) for item in value):
        return "[\n" + ",\n".join(inner + dump(item, inner) for item in value) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False)


def main():
    all_vectors = [*given_vectors(), *valid_vectors(), *wrong_vectors()]
    for mode in ("body", "header"):
        vectors = [vector for vector_mode, vector in all_vectors if vector_mode == mode]
        document = {"$schema": "./vector.schema.json", "mode": mode, "vectors": vectors}
        (HERE / f"{mode}.json").write_text(dump(document) + "\n")
        print(f"{mode}.json: {len(vectors)} vectors")


if __name__ == "__main__":
    main()
