"""Every option of every operation, given wrongly: refused with 400 and by its name. What there is to try is read from the
service's own OpenAPI document, so that an option that is added is tried too."""

import json
import uuid

import pytest
from pictures import png
from service import upload, wait_for_job

OPERATIONS = ("resize", "optimize", "tile", "grid_render", "tile_patch")
NO_ASSET = str(uuid.UUID(int=7))


@pytest.fixture(scope="module")
def sources(service, key):
    """What a good request of each operation looks like."""
    asset = upload(service, key, png(64, 48)).json()["id"]
    made = service.post("/v1/jobs", body={"asset_id": asset, "operation": "tile", "options": {}}, key=key).json()["id"]
    tileset = wait_for_job(service, key, made)["artifacts"][0]["metadata"]["tileset_id"]
    patch = {"x": 0, "y": 0, "width": 8, "height": 8, "color": "#aabbcc"}
    return {
        "resize": {"asset_id": asset, "options": {"width": 8}},
        "optimize": {"asset_id": asset, "options": {}},
        "tile": {"asset_id": asset, "options": {}},
        "grid_render": {
            "options": {
                "width": 40, "height": 40, "block_width": 20, "blocks": [{"column": 0, "row": 0, "color": "#aabbcc"}],
            },
        },
        "tile_patch": {"options": {"tileset_id": tileset, "patches": [patch]}},
    }  # fmt: skip


@pytest.fixture(scope="module")
def schemas(service):
    components = service.get("/openapi.json").json()["components"]["schemas"]

    def resolved(part):
        if isinstance(part, dict):
            part = components[part["$ref"].rsplit("/", 1)[1]] if "$ref" in part else part
            return {name: resolved(inner) for name, inner in part.items()}
        return [resolved(inner) for inner in part] if isinstance(part, list) else part

    return {name: resolved(components[f"JobRequest_{name}"]["properties"]["options"]) for name in OPERATIONS}


def wrong_values(schema):
    """Values that the schema forbids: other types, just outside of the range, not in the list."""
    if "oneOf" in schema:  # a number, or a word in its place
        number, words = schema["oneOf"]
        yield from (value for value in wrong_values(number) if value not in words["enum"])
        return
    by_type = {"integer": 5, "number": 5, "string": "x", "boolean": True, "array": [], "object": {}}
    kinds = {"integer": "integer", "number": "integer"}
    for kind, value in by_type.items():
        if kinds.get(kind, kind) != kinds.get(schema["type"], schema["type"]):
            yield value
    yield None
    if schema["type"] == "number":
        yield from (1e300, -(2**63), 2**64, "0.5", schema["minimum"] - 0.01, schema["maximum"] + 0.01)
    if schema["type"] == "integer":
        yield from (1.5, 1e300, -(2**63), 2**63, 2**64, "5")
        if "minimum" in schema:
            yield from (schema["minimum"] - 1, schema["maximum"] + 1)
    if schema["type"] == "string":
        yield from ("", "x" * 5000, "nonsense\u0000", "\u202e")
    if schema["type"] == "array":
        yield [None]
        yield [[]]
        yield [{"nonsense": 1}]
    if schema["type"] == "object":
        yield {"nonsense": 1}


def places(schema, path=()):
    """Every option with the way to it, those inside of lists and objects too."""
    for name, inner in schema["properties"].items():
        yield (*path, name), inner
        if inner.get("type") == "object":
            yield from places(inner, (*path, name))
        if inner.get("type") == "array":
            yield from places(inner["items"], (*path, name, 0))


def put(options, path, value):
    *way, last = path
    for step in way:
        if isinstance(options, dict):
            options = options.setdefault(step, {})
        else:
            options = options[step]
    options[last] = value


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_option_given_wrongly_is_refused_by_its_name(service, key, sources, schemas, operation):
    good = {"operation": operation, **sources[operation]}
    assert service.post("/v1/jobs", body=good, key=key).status == 201
    tried = 0
    for path, schema in places(schemas[operation]):
        for value in wrong_values(schema):
            body = json.loads(json.dumps(good))
            put(body["options"], path, value)
            answer = service.post("/v1/jobs", body=body, key=key)
            assert answer.status == 400, (path, value, answer)
            message = answer.json()["error"]
            assert path[-1] in message or "nonsense" in message or path[0] in message, (path, value, message)
            assert len(message) < 500, message
            tried += 1
    assert tried > 20


@pytest.mark.parametrize("operation", OPERATIONS)
def test_unknown_and_missing_options_are_refused_by_their_name(service, key, sources, schemas, operation):
    good = {"operation": operation, **sources[operation]}
    for name in ("nonsense", "Width", "width ", "__proto__"):
        body = json.loads(json.dumps(good))
        body["options"][name] = 1
        answer = service.post("/v1/jobs", body=body, key=key)
        assert answer.status == 400 and name.strip() in answer.json()["error"], (name, answer)
    for name in schemas[operation].get("required", []):
        body = json.loads(json.dumps(good))
        del body["options"][name]
        answer = service.post("/v1/jobs", body=body, key=key)
        assert answer.status == 400 and name in answer.json()["error"], (name, answer)


def test_ids_in_options_of_things_that_are_not_there_are_not_found(service, key, sources):
    blocks = [{"column": 0, "row": 0, "asset_id": NO_ASSET}]
    patch = {"x": 0, "y": 0, "width": 8, "height": 8, "asset_id": NO_ASSET}
    tileset = sources["tile_patch"]["options"]["tileset_id"]
    asset = sources["tile"]["asset_id"]
    for body, message in [
        ({"operation": "grid_render", "options": {**sources["grid_render"]["options"], "blocks": blocks}}, "asset not found"),
        ({"operation": "tile_patch", "options": {"tileset_id": tileset, "patches": [patch]}}, "asset not found"),
        ({"operation": "tile_patch", "options": {**sources["tile_patch"]["options"], "tileset_id": NO_ASSET}}, "tileset not found"),
        ({"operation": "tile", "asset_id": asset, "options": {"tileset_id": NO_ASSET}}, "tileset not found"),
    ]:  # fmt: skip
        answer = service.post("/v1/jobs", body=body, key=key)
        assert (answer.status, answer.json()["error"]) == (404, message), body


def test_another_accounts_ids_are_as_good_as_none_wherever_they_are_named(service, key, sources):
    stranger = service.new_account("nosy", cdn=True)
    own = upload(service, stranger, png(20, 20)).json()["id"]
    asset, tileset = sources["tile"]["asset_id"], sources["tile_patch"]["options"]["tileset_id"]
    grid = sources["grid_render"]["options"]
    patch = {"x": 0, "y": 0, "width": 8, "height": 8}
    for body, message in [
        *(({"operation": name, "asset_id": asset, "options": sources[name]["options"]}, "asset not found")
          for name in ("resize", "optimize", "tile")),
        ({"operation": "grid_render", "options": {**grid, "blocks": [{"column": 0, "row": 0, "asset_id": asset}]}}, "asset not found"),
        ({"operation": "tile", "asset_id": own, "options": {"tileset_id": tileset}}, "tileset not found"),
        ({"operation": "tile_patch", "options": {"tileset_id": tileset, "patches": [{**patch, "color": "#aabbcc"}]}}, "tileset not found"),
    ]:  # fmt: skip
        answer = service.post("/v1/jobs", body=body, key=stranger)
        assert (answer.status, answer.json()["error"]) == (404, message), body
    tiles = service.post("/v1/jobs", body={"asset_id": own, "operation": "tile", "options": {}}, key=stranger).json()["id"]
    owned = wait_for_job(service, stranger, tiles)["artifacts"][0]["metadata"]["tileset_id"]
    body = {"operation": "tile_patch", "options": {"tileset_id": owned, "patches": [{**patch, "asset_id": asset}]}}
    answer = service.post("/v1/jobs", body=body, key=stranger)
    assert (answer.status, answer.json()["error"]) == (404, "asset not found")
    assert service.get(f"/v1/tilesets/{tileset}/xyz/0/0/0.jpg", key=stranger).status == 404
    assert service.get(f"/v1/tilesets/{tileset}/xyz/0/0/0.jpg", key=key).status == 200


def test_idempotency_keys_that_headers_can_hardly_carry_are_refused(service, key, sources):
    body = json.dumps({"operation": "resize", **sources["resize"]}).encode()

    def status_of(lines):
        head = b"POST /v1/jobs HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
        head += b"Authorization: Bearer " + key.encode() + b"\r\nContent-Length: %d\r\n" % len(body)
        return int(service.raw(head + lines + b"\r\n" + body).split(b" ")[1])

    assert status_of(b"Idempotency-Key: fine-key-1\r\n") == 201
    for lines in [
        b"Idempotency-Key:\r\n",
        b"Idempotency-Key: tab\there-12\r\n",
        b"Idempotency-Key: del\x7fete-12\r\n",
        b"Idempotency-Key: zero\x00here\r\n",
        b"Idempotency-Key: bell\x07here\r\n",
        b"Idempotency-Key: fine-key-1\r\nIdempotency-Key: fine-key-2\r\n",
    ]:
        assert status_of(lines) == 400, lines
