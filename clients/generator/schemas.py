"""The schemas of the OpenAPI document as a short list of named types, from which the files of each language are written.

An expression is one of:
  ("name", N)          another named type
  ("text",) ("integer",) ("number",) ("truth",) ("nothing",) ("anything",)
  ("constants", [..])  one of these values
  ("list", E) ("map", E) ("either", [E, ..])
"""

import dataclasses

# Types that the clients name before every service's document has them, and what they are without a schema.
AWAITED = {
    "Tileset": ("map", ("anything",)),
    "TileJson": ("map", ("anything",)),
    "TilesetWithVersions": ("name", "Tileset"),
    "ListedAsset": ("name", "Asset"),
    "AssetWithContent": ("name", "Asset"),
    "ListedJob": ("name", "Job"),
}
PLAIN = {"string": "text", "integer": "integer", "number": "number", "boolean": "truth", "null": "nothing"}


@dataclasses.dataclass
class Field:
    name: str
    type: tuple
    required: bool
    description: str


@dataclasses.dataclass
class Object:
    name: str
    description: str
    bases: list
    fields: list


@dataclasses.dataclass
class Alias:
    name: str
    description: str
    type: tuple


@dataclasses.dataclass
class Operation:
    name: str  # as the interface has it: grid_render
    description: str
    options_type: str
    options: list
    takes_asset: str  # "always", "maybe" or "never"


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in name.replace("-", "_").split("_"))


def type_name(schema_name):
    """JobRequest_grid_render is a GridRenderJobRequest."""
    head, _, rest = schema_name.partition("_")
    return camel(rest) + head


def singular(name):
    """Of a list's name that of an item: blocks, patches."""
    return name.removesuffix("es") if name.endswith("ches") else name.removesuffix("s")


class Reader:
    def __init__(self, document):
        self.schemas = document["components"]["schemas"]
        self.types = {}

    def named(self, reference):
        schema_name = reference.rsplit("/", 1)[1]
        name = type_name(schema_name)
        if name not in self.types:
            self.types[name] = None  # it is being read; a schema may name itself
            self.define(name, self.schemas[schema_name])
        return ("name", name)

    def define(self, name, schema):
        description = schema.get("description", "")
        if "allOf" in schema:
            bases = [self.named(part["$ref"])[1] for part in schema["allOf"] if "$ref" in part]
            fields = [field for part in schema["allOf"] if "$ref" not in part for field in self.fields(name, part)]
            self.types[name] = self.extended(Object(name, description, bases, fields))
        elif schema.get("properties"):
            self.types[name] = Object(name, description, [], self.fields(name, schema))
        else:
            self.types[name] = Alias(name, description, self.expression(name, schema))

    def all_fields(self, name):
        made = self.types[name]
        fields = {field.name: field for base in made.bases for field in self.all_fields(base).values()}
        return fields | {field.name: field for field in made.fields}

    def extended(self, made):
        """A type that says more of a field of its base stands alone, with the fields of both: neither language extends so."""
        inherited = {field.name: field for base in made.bases for field in self.all_fields(base).values()}
        if not any(field.name in inherited for field in made.fields):
            return made
        for field in made.fields:
            before = inherited.get(field.name)
            field.required = field.required or (before is not None and before.required)
            field.description = field.description or (before.description if before else "")
        whole = inherited | {field.name: field for field in made.fields}
        return Object(made.name, made.description, [], list(whole.values()))

    def fields(self, owner, schema):
        required = schema.get("required", [])
        return [
            Field(name, self.expression(self.inner_name(owner, name), part), name in required, part.get("description", ""))
            for name, part in schema["properties"].items()
        ]

    @staticmethod
    def inner_name(owner, field):
        """The options of a ResizeJobRequest are ResizeOptions."""
        return owner.replace("JobRequest", "") + camel(field)

    def expression(self, name, schema):
        if "$ref" in schema:
            return self.named(schema["$ref"])
        if "const" in schema:
            return ("constants", [schema["const"]])
        if "enum" in schema:
            return ("constants", schema["enum"])
        kinds = schema.get("type")
        if isinstance(kinds, list):
            return ("either", [self.expression(name, {**schema, "type": kind}) for kind in kinds])
        if kinds in PLAIN:
            return (PLAIN[kinds],)
        if kinds == "array":
            return ("list", self.expression(singular(name), schema.get("items", {})))
        if schema.get("properties"):
            self.types[name] = None
            self.define(name, schema)
            return ("name", name)
        if kinds == "object":
            rest = schema.get("additionalProperties")
            return ("map", self.expression(name + "Value", rest) if isinstance(rest, dict) else ("anything",))
        for word in ("oneOf", "anyOf"):
            if word in schema:
                return ("either", [self.expression(f"{name}{number}", part) for number, part in enumerate(schema[word], 1)])
        return ("anything",)


def json_schemas(document):
    """The schemas of what is sent and answered as JSON under /v1, in the document's order."""
    for path, methods in document["paths"].items():
        if not path.startswith("/v1/") or path.endswith("openapi.json"):
            continue
        for operation in methods.values():
            for message in [operation.get("requestBody") or {}, *operation["responses"].values()]:
                schema = message.get("content", {}).get("application/json", {}).get("schema", {})
                if "$ref" in schema:
                    yield schema["$ref"]


def read_document(document):
    """The types and the operations that a document describes."""
    reader = Reader(document)
    for reference in json_schemas(document):
        reader.named(reference)
    for name, without in AWAITED.items():
        if name in document["components"]["schemas"]:
            reader.named(f"/{name}")
        else:
            reader.types[name] = Alias(name, "Not described by the service's document yet.", without)
    operations = [operation_of(reader, schema) for schema in document["components"]["schemas"]["JobRequest"]["oneOf"]]
    return in_order(reader.types), operations


def operation_of(reader, schema):
    schema_name = schema["$ref"].rsplit("/", 1)[1]
    request = reader.schemas[schema_name]
    takes_asset = "always" if "asset_id" in request["required"] else "maybe" if "asset_id" in request["properties"] else "never"
    options = reader.inner_name(type_name(schema_name), "options")
    fields = reader.types[options].fields if isinstance(reader.types.get(options), Object) else []
    return Operation(request["properties"]["operation"]["const"], request.get("description", ""), options, fields, takes_asset)


def in_order(types):
    """Each type after those that it names."""
    ordered, seen = [], set()

    def names_in(part):
        if isinstance(part, tuple) and part[0] == "name":
            yield part[1]
        elif isinstance(part, (tuple, list)):
            for inner in part:
                yield from names_in(inner)

    def visit(name):
        if name in seen:
            return
        seen.add(name)
        made = types[name]
        expressions = [made.type] if isinstance(made, Alias) else [field.type for field in made.fields]
        for other in [*getattr(made, "bases", []), *names_in(expressions)]:
            visit(other)
        ordered.append(made)

    for name in sorted(types):
        visit(name)
    return ordered
