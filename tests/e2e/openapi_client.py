"""A client made from nothing but the OpenAPI document: it makes requests that the document allows, at random but from a seed,
and holds every answer against what the document says of it."""

import datetime
import json
import re
import uuid

try:
    from re import _parser as regex_parser  # Python 3.11 and later
except ImportError:
    import sre_parse as regex_parser

UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
# What any answer may have: HTTP's own, and those that tell browsers to be careful.
GENERAL_HEADERS = {
    "date", "content-type", "content-length", "transfer-encoding", "connection", "x-content-type-options", "referrer-policy",
    "content-security-policy", "access-control-allow-origin", "access-control-expose-headers", "cross-origin-resource-policy",
}  # fmt: skip


class Document:
    def __init__(self, document):
        self.whole = document

    def resolve(self, part):
        """Follows a reference, if it is one."""
        while "$ref" in part:
            place = self.whole
            for step in part["$ref"].removeprefix("#/").split("/"):
                place = place[step]
            part = place
        return part

    def operations(self):
        for path, methods in self.whole["paths"].items():
            for method, operation in methods.items():
                yield method.upper(), path, operation

    def schema(self, name):
        return self.whole["components"]["schemas"][name]

    # --- validation ---
    def errors(self, value, schema, strict=False, at="$"):
        """What is wrong with a value; `strict` also refuses fields that the schema does not name."""
        schema = self.resolve(schema)
        found = []
        kind = schema.get("type")
        if kind and not is_a(value, kind):
            return [f"{at}: {value!r} is no {kind}"]
        if "const" in schema and value != schema["const"]:
            found.append(f"{at}: {value!r} is not {schema['const']!r}")
        if "enum" in schema and value not in schema["enum"]:
            found.append(f"{at}: {value!r} is none of {schema['enum']}")
        if isinstance(value, str):
            found += text_errors(value, schema, at)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            if value < schema.get("minimum", value) or value > schema.get("maximum", value):
                found.append(f"{at}: {value} is out of range")
        elif isinstance(value, list):
            if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
                found.append(f"{at}: {len(value)} items")
            for index, item in enumerate(value):
                found += self.errors(item, schema.get("items", {}), strict, f"{at}[{index}]")
        elif isinstance(value, dict):
            found += self._object_errors(value, schema, strict, at)
        for part in schema.get("allOf", []):
            found += self.errors(value, part, False, at)
        for word, wanted in (("anyOf", lambda n: n > 0), ("oneOf", lambda n: n == 1)):
            if word in schema:
                tried = [self.errors(value, part, strict and "properties" not in schema, at) for part in schema[word]]
                if not wanted(sum(not errors for errors in tried)):
                    found.append(f"{at}: {word} does not hold: {tried}")
        if "not" in schema and not self.errors(value, schema["not"], False, at):
            found.append(f"{at}: is what it must not be: {schema['not']}")
        return found

    def _object_errors(self, value, schema, strict, at):
        found = [f"{at}: lacks {name}" for name in schema.get("required", []) if name not in value]
        for name, needed in schema.get("dependentRequired", {}).items():
            if name in value:
                found += [f"{at}: has {name} but not {other}" for other in needed if other not in value]
        named = self.properties(schema)
        rest = schema.get("additionalProperties", not (strict and named))
        for name, item in value.items():
            if name in named:
                found += self.errors(item, named[name], strict, f"{at}.{name}")
            elif rest is False:
                found.append(f"{at}: {name} is not in the document")
            elif isinstance(rest, dict):
                found += self.errors(item, rest, strict, f"{at}.{name}")
        return found

    def properties(self, schema):
        schema = self.resolve(schema)
        named = dict(schema.get("properties", {}))
        for part in schema.get("allOf", []):
            named.update(self.properties(part))
        return named

    def answer_errors(self, operation, answer):
        """What the document does not say of an answer: its status, type, body or headers."""
        described = operation["responses"].get(str(answer.status))
        if described is None:
            return [f"status {answer.status} is not in the document"]
        found = []
        headers = {name.lower(): self.resolve(header) for name, header in described.get("headers", {}).items()}
        for name, text in answer.headers.items():
            if name.lower() in headers:
                found += self.errors(typed(text, headers[name.lower()]["schema"]), headers[name.lower()]["schema"], at=name)
            elif name.lower() not in GENERAL_HEADERS:
                found.append(f"header {name} is not in the document")
        content = described.get("content", {})
        kind = (answer.headers.get("Content-Type") or "").split(";")[0]
        if not content:
            return found + ([f"a body of {kind}"] if answer.body else [])
        body = content.get(kind) or content.get(kind.split("/")[0] + "/*")
        if body is None:
            return found + [f"content type {kind!r} is not in the document"]
        if kind == "application/json":
            found += self.errors(json.loads(answer.body), body["schema"], strict=True)
        return found


def is_a(value, kind):
    if isinstance(kind, list):
        return any(is_a(value, one) for one in kind)
    if kind == "integer":
        return isinstance(value, (int, float)) and not isinstance(value, bool) and value == int(value)
    if kind == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, {"string": str, "boolean": bool, "array": list, "object": dict, "null": type(None)}[kind])


def text_errors(value, schema, at):
    found = []
    if "pattern" in schema and not re.search(schema["pattern"], value):
        found.append(f"{at}: {value!r} does not match {schema['pattern']}")
    if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
        found.append(f"{at}: {len(value)} characters")
    kind = schema.get("format")
    if kind == "uuid" and not UUID.fullmatch(value):
        found.append(f"{at}: {value!r} is no UUID")
    if kind == "date-time":
        try:
            datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
        except ValueError:
            found.append(f"{at}: {value!r} is no time")
    if kind == "uri" and not re.match(r"https?://[^/]+/", value):
        found.append(f"{at}: {value!r} is no address")
    return found


def typed(text, schema):
    """A header's or parameter's text as what its schema wants."""
    if schema.get("type") == "integer" and re.fullmatch(r"-?[0-9]+", text):
        return int(text)
    return text


class Generator:
    """Values that a schema allows. `ids` gives for a field's name the ids that are there, to be used now and then."""

    def __init__(self, document, random, ids):
        self.document = document
        self.random = random
        self.ids = ids

    def value(self, schema, name=""):
        schema = self.document.resolve(schema)
        for _ in range(10_000):
            made = self._candidate(schema, name)
            if not self.document.errors(made, schema):
                return made
        raise AssertionError(f"found no value for {name or schema}")

    def _candidate(self, schema, name):
        pick = self.random
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return pick.choice(schema["enum"])
        if "oneOf" in schema and "properties" not in schema:
            return self.value(pick.choice(schema["oneOf"]), name)
        kind = schema["type"]
        if kind == "boolean":
            return pick.random() < 0.5
        if kind == "integer":
            return self._integer(schema["minimum"], schema["maximum"])
        if kind == "number":
            return pick.choice([schema["minimum"], schema["maximum"], pick.uniform(schema["minimum"], schema["maximum"])])
        if kind == "string":
            return self._text(schema, name)
        if kind == "array":
            most = min(schema["maxItems"], schema["minItems"] + 3)
            return [self.value(schema["items"], name) for _ in range(pick.randint(schema["minItems"], most))]
        required = schema.get("required", [])
        chosen = [n for n in schema["properties"] if n in required or pick.random() < 0.4]
        return {n: self.value(schema["properties"][n], n) for n in chosen}

    def _integer(self, least, most):
        """Mostly small, sometimes at an end, now and then anywhere; JSON has one kind of number, so some end in .0."""
        pick = self.random
        number = pick.choice(
            [least, most, pick.randint(least, most), *(pick.randint(least, min(most, least + 300)) for _ in range(7))]
        )
        return float(number) if pick.random() < 0.05 else number

    def _text(self, schema, name):
        if schema.get("format") == "uuid":
            known = self.ids(name)
            made = self.random.choice(known) if known and self.random.random() < 0.9 else str(uuid.UUID(int=self.random.getrandbits(128)))
            return made.upper() if self.random.random() < 0.1 else made
        return "".join(self._matching(regex_parser.parse(schema["pattern"])))

    def _matching(self, tokens):
        """A text that a regular expression matches: as much of their language as the document speaks."""
        for kind, what in tokens:
            kind = str(kind)
            if kind == "LITERAL":
                yield chr(what)
            elif kind == "IN":
                yield self._one_of(what)
            elif kind == "BRANCH":
                yield from self._matching(self.random.choice(what[1]))
            elif kind == "SUBPATTERN":
                yield from self._matching(what[-1])
            elif kind == "MAX_REPEAT":
                least, most, inner = what
                for _ in range(self.random.randint(least, most)):
                    yield from self._matching(inner)
            elif kind != "AT":
                raise AssertionError(f"{kind} in a pattern")

    def _one_of(self, members):
        ranges = [(what, what) if str(kind) == "LITERAL" else what for kind, what in members]
        first, last = self.random.choice(ranges)
        return chr(self.random.randint(first, last))
