"""The OpenAPI document is the truth: no request that it allows is refused as malformed, and no answer is unknown to it.

TESSERA_OPENAPI_REQUESTS=20000 and TESSERA_OPENAPI_SEED=7 look further and elsewhere."""

import http.client
import json
import os
import random
import re
import urllib.parse

import pictures
import pytest
from openapi_client import Document, Generator
from openapi_rules import RULES
from service import Answer, multipart, request_path, upload, wait_for_job

REQUESTS = int(os.environ.get("TESSERA_OPENAPI_REQUESTS", "1300"))
SEED = int(os.environ.get("TESSERA_OPENAPI_SEED", "4"))
WIDTH, HEIGHT = 64, 48

# What would take long is over the service's limits, which is an answer that the document knows.
SETTINGS = {
    "limits.max_output_megapixels": "1",
    "limits.max_canvas_megapixels": "2",
    "limits.max_tiles_per_job": "100",
    "rate_limits.account": "1000000",
    "rate_limits.uploads": "1000000",
    "rate_limits.job_submissions": "1000000",
    "rate_limits.job_reads": "1000000",
    "rate_limits.artifact_reads": "1000000",
    "rate_limits.downloads": "1000000",
    "rate_limits.plans": "3",
}


class World:
    """What the client has made, by id."""

    longest_ratio = WIDTH / HEIGHT

    def __init__(self, service, key, document):
        self.service, self.key, self.document = service, key, document
        self.assets, self.tilesets = {}, {}
        self.jobs, self.artifacts, self.downloads, self.tiles, self.keys = [], [], [], [], []
        self.ended, self.contents, self.doomed = [], [], []
        self.pictures = [pictures.png(WIDTH, HEIGHT), pictures.png_of(WIDTH, HEIGHT, lambda x, y: (x, y, 9, 4 * x))]
        for content, alpha in zip(self.pictures, (False, True)):
            self.add_asset(content, "png", alpha)

    def add_asset(self, content, form, alpha):
        asset = upload(self.service, self.key, content)
        assert asset.status == 201, asset
        self.assets[asset.json()["id"]] = {"format": form, "alpha": alpha, "width": WIDTH, "height": HEIGHT}
        return asset.json()["id"]

    def run(self, body):
        answer = self.service.post("/v1/jobs", body=body, key=self.key)
        assert answer.status == 201, answer
        job = wait_for_job(self.service, self.key, answer.json()["id"])
        assert job["status"] == "succeeded", job
        self.jobs.append(job["id"])
        self.ended.append(job["id"])
        self.artifacts.append(job["artifacts"][0]["id"])
        return job

    def furnish(self):
        """Assets of every format that can be made here, and a tileset of each kind."""
        first, *_ = self.assets
        for form in ("jpeg", "webp", "avif", "jxl"):
            job = self.run({"asset_id": first, "operation": "resize", "options": {"width": WIDTH, "format": form}})
            artifact = self.service.get(f"/v1/artifacts/{job['artifacts'][0]['id']}", key=self.key).json()
            self.downloads.append(request_path(artifact["download_url"]))
            self.pictures.append(self.service.get(self.downloads[-1]).body)
            self.add_asset(self.pictures[-1], form, False)
        grid = {"width": WIDTH, "height": HEIGHT, "block_width": 16}
        for body in (
            {"asset_id": first, "operation": "tile", "options": {}},
            {"operation": "grid_render", "options": grid},
        ):
            result = self.run(body)["result"]
            self.tilesets[result["tileset_id"]] = (WIDTH, HEIGHT)
            self.tiles.append(request_path(result["public_tile_url_template"]))
        asset = self.service.get(f"/v1/assets/{first}", key=self.key).json()
        self.contents.append(request_path(asset["content_url"]))
        for _ in range(3):
            self.doomed.append(upload(self.service, self.key, pictures.png(9, 9)).json()["id"])

    def ids(self, operation_id):
        by_operation = {
            "getJob": self.jobs, "getArtifact": self.artifacts, "getTile": list(self.tilesets),
            "getAsset": list(self.assets), "getTileset": list(self.tilesets), "getTileJson": list(self.tilesets),
            "getTilesetAddresses": list(self.tilesets), "getAssetAddresses": list(self.assets),
            "cancelJob": self.ended, "deleteAsset": self.doomed,
        }  # fmt: skip
        by_name = {"asset_id": list(self.assets), "tileset_id": list(self.tilesets), "id": by_operation.get(operation_id, [])}
        return lambda name: by_name.get(name, [])

    def accepted(self, request, job):
        self.jobs.append(job["id"])
        options = request.get("options", {})
        if request["operation"] == "tile" and "tileset_id" in options:
            # Rebuilt from a picture that may be turned: only this much is there for certain.
            self.tilesets[options["tileset_id"].lower()] = (min(WIDTH, HEIGHT),) * 2


def beginning_of(service, path, headers, key):
    """The answer to a request whose answer goes on, up to its first event."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    connection.request("GET", path, headers={**headers, "X-API-Key": key})
    response = connection.getresponse()
    goes_on = response.headers["Content-Type"] == "text/event-stream"
    answer = Answer(response, response.readline() if goes_on else response.read())
    connection.close()
    return answer


class Client:
    def __init__(self, world, seed):
        self.world, self.document, self.random = world, world.document, random.Random(seed)
        self.operations = list(self.document.operations())

    def job_request(self, generator):
        while True:
            shape = self.document.resolve(self.random.choice(self.document.schema("JobRequest")["oneOf"]))
            request = generator.value(shape)
            for rule in shape.get("x-rules", {}):
                request = request and RULES[rule](request, self.world)
            if request:
                assert self.document.errors(request, shape) == []
                return request

    def body(self, operation, generator, headers):
        content = operation.get("requestBody", {}).get("content", {})
        if "multipart/form-data" in content:
            junk = bytes(self.random.getrandbits(8) for _ in range(200))
            body, headers["Content-Type"] = multipart(self.random.choice([*self.world.pictures, junk]))
            return body
        return self.job_request(generator) if content else None

    def step(self):
        """One request that the document allows, and its answer."""
        weights = [{"createJob": 12, "deleteAsset": 2}.get(op["operationId"], 1) for _, _, op in self.operations]
        method, path, operation = self.random.choices(self.operations, weights)[0]
        generator = Generator(self.document, self.random, self.world.ids(operation["operationId"]))
        headers, query = {}, {}
        for parameter in operation.get("parameters", []):
            if not parameter["required"] and self.random.random() < 0.5:
                continue
            value = generator.value(parameter["schema"], parameter["name"])
            text = value if isinstance(value, str) else str(int(value))
            if parameter["in"] == "path":
                path = path.replace("{%s}" % parameter["name"], text)
            else:
                (query if parameter["in"] == "query" else headers)[parameter["name"]] = text
        if query:
            path += "?" + urllib.parse.urlencode(query)
        path = self.sometimes_real(operation["operationId"], path)
        body = self.body(operation, generator, headers)
        if "Idempotency-Key" in headers and self.world.keys and self.random.random() < 0.2:
            headers["Idempotency-Key"], earlier = self.random.choice(self.world.keys)
            body = earlier if self.random.random() < 0.5 else body
        key = None
        if operation["security"]:
            key = self.world.key if self.random.random() < 0.97 else "wrong"
        if operation["operationId"] == "streamEvents":
            answer = beginning_of(self.world.service, path, headers, key)
        else:
            answer = self.world.service.request(method, path, body=body, headers=headers, key=key)
        self.check(f"{method} {path} {headers} {body if isinstance(body, dict) else ''}", operation, answer)
        if operation["operationId"] == "createJob" and answer.status in (200, 201):
            assert ("Idempotency-Replayed" in answer.headers) == (answer.status == 200)
            self.world.keys += [(headers["Idempotency-Key"], body)] if "Idempotency-Key" in headers else []
            if answer.status == 201:
                self.world.accepted(body, answer.json())
        return operation["operationId"], answer.status

    def sometimes_real(self, operation_id, path):
        """Signatures and places of tiles are not found by chance."""
        if self.random.random() < 0.5:
            return path
        if operation_id == "downloadArtifact":
            return self.random.choice(self.world.downloads)
        if operation_id == "getAssetContent":
            return self.random.choice(self.world.contents)
        if operation_id in ("getPublicTile", "getTile"):
            tile = self.random.choice(self.world.tiles).format(z=0, x=0, y=0)
            return tile if operation_id == "getPublicTile" else re.sub(r"^/cdn(.*)/v/\d+(.*)\?.*$", r"/v1\1\2", tile)
        return path

    def check(self, sent, operation, answer):
        assert answer.status not in (400, 500), f"{sent} is allowed by the document, but got {answer}"
        errors = self.document.answer_errors(operation, answer)
        assert errors == [], f"{sent} got {answer}, of which the document does not tell: {errors}"


@pytest.fixture(scope="module")
def document(service):
    return Document(service.get("/openapi.json").json())


def test_a_client_made_from_the_document_meets_no_surprise(make_service):
    service = make_service(settings=SETTINGS)
    key = service.new_account("tester", cdn=True)
    service.admin("entitlement", "set", "--account", "tester", "--feature", "asset_pictures", "--enabled", "true")
    world = World(service, key, Document(service.get("/openapi.json").json()))
    world.furnish()
    client = Client(world, SEED)
    seen = {client.step() for _ in range(REQUESTS)}
    reading = next(op for _, _, op in client.operations if op["operationId"] == "getJob")
    for job_id in world.jobs:
        job = wait_for_job(service, key, job_id)
        client.check(job_id, reading, service.get(f"/v1/jobs/{job_id}", key=key))
        # What trim leaves is known when the job runs, and held against the limits then.
        judged_late = "trim" in job["options"] and job.get("error_code") == "output_too_large"
        assert judged_late or job["status"] == "succeeded", f"{job} was accepted, and there was nothing wrong with it"
    for wanted in [("createJob", 201), ("createJob", 200), ("createJob", 409), ("createJob", 404), ("createJob", 429),
                   ("createAsset", 201), ("createAsset", 415), ("getJob", 200), ("getArtifact", 200), ("downloadArtifact", 200),
                   ("downloadArtifact", 403), ("getTile", 200), ("getTile", 404), ("getPublicTile", 200), ("listPlans", 429),
                   ("listAssets", 200), ("listJobs", 200), ("listTilesets", 200), ("getAsset", 200), ("getAssetContent", 200),
                   ("getTileset", 200), ("getTileJson", 200), ("getAssetAddresses", 200), ("cancelJob", 200), ("deleteAsset", 204), ("deleteAsset", 404),
                   ("streamEvents", 200)]:  # fmt: skip
        assert wanted in seen, f"{REQUESTS} requests never led to {wanted}"


def test_every_rule_has_its_words_and_its_place_in_the_client(document):
    told = set()
    for shape in document.schema("JobRequest")["oneOf"]:
        rules = document.resolve(shape).get("x-rules", {})
        assert all(isinstance(text, str) and text.endswith(".") for text in rules.values())
        told |= set(rules)
    assert told == set(RULES)


def test_examples_are_what_their_schemas_say(document):
    with_examples = 0
    for name, schema in document.whole["components"]["schemas"].items():
        for example in schema.get("examples", []):
            assert document.errors(example, schema, strict=True) == [], name
            with_examples += 1
    assert with_examples >= 11


def test_the_document_tells_which_operations_take_an_asset(document):
    takes = {}
    for shape in document.schema("JobRequest")["oneOf"]:
        schema = document.resolve(shape)
        name = schema["properties"]["operation"]["const"]
        takes[name] = ("asset_id" in schema["properties"], "asset_id" in schema["required"])
    assert takes == {
        "resize": (True, True),
        "optimize": (True, True),
        "tile": (True, True),
        "grid_render": (False, False),
        "tile_patch": (True, False),
    }


def test_links_lead_from_a_job_to_its_artifact(document):
    by_id = {operation["operationId"]: operation for _, _, operation in document.operations()}
    to_job = by_id["createJob"]["responses"]["201"]["links"]["job"]
    assert (to_job["operationId"], to_job["parameters"]) == ("getJob", {"id": "$response.body#/id"})
    to_artifact = by_id["getJob"]["responses"]["200"]["links"]["artifact"]
    assert (to_artifact["operationId"], to_artifact["parameters"]) == ("getArtifact", {"id": "$response.body#/artifacts/0/id"})
    assert "Idempotency-Replayed" in by_id["createJob"]["responses"]["200"]["headers"]


def test_every_tag_has_a_text_of_its_own(document):
    texts = [tag["description"] for tag in document.whole["tags"]]
    assert len(set(texts)) == len(texts) >= 7
    used = {tag for _, _, operation in document.operations() for tag in operation["tags"]}
    assert used == {tag["name"] for tag in document.whole["tags"]}
    assert json.dumps(document.whole).count("About the interface") == 0
