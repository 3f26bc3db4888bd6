"""An operation is one file: a `tessera` that is linked with tests/support/sixth_operation.cpp has it everywhere."""

import json
import re
import subprocess
import uuid

import pytest
from pictures import png, png_size
from service import BINARY, PATIENCE, SIXTH, Service, request_path, temporary_folder, upload, wait_for_job


@pytest.fixture(scope="module")
def service():
    assert SIXTH.exists(), "build the target tessera-sixth"
    with temporary_folder() as path:
        shared = Service(path / "data", binary=SIXTH).start()
        yield shared
        shared.stop()
        assert shared.complaints() == []


@pytest.fixture(scope="module")
def small(service, key):
    return upload(service, key, png(40, 30, (200, 0, 0)), "small.png").json()["id"]


@pytest.fixture(scope="module")
def large(service, key):
    return upload(service, key, png(1200, 900), "large.png").json()["id"]


def submit(service, key, asset, options, **headers):
    body = {"operation": "same_size", "options": options} | ({"asset_id": asset} if asset else {})
    return service.post("/v1/jobs", body=body, key=key, headers=headers)


def process(binary, *arguments):
    line = [str(binary), "process", *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=PATIENCE * 4)


def test_a_job_of_it_runs_to_its_result(service, key, small, large):
    before = service.get("/v1/account", key=key).json()["usage"]["processing_credits"]["used"]
    answer = submit(service, key, small, {"others": [{"other_asset_id": large}, {"other_asset_id": large}]})
    assert answer.status == 201, answer
    job = wait_for_job(service, key, answer.json()["id"])
    assert job["status"] == "succeeded", job
    assert list(job["options"]) == ["format", "background", "others"] and job["options"]["background"] == "#ffffff"
    (artifact,) = job["artifacts"]
    assert (artifact["width"], artifact["height"], artifact["content_type"]) == (1200, 900, "image/png")
    assert artifact["metadata"]["source_width"] == 40
    told = service.get(f"/v1/artifacts/{artifact['id']}", key=key).json()
    download = service.get(request_path(told["download_url"]))
    assert png_size(download.body) == (1200, 900)
    assert 'filename="small-padded.png"' in download.headers["Content-Disposition"]
    used = service.get("/v1/account", key=key).json()["usage"]["processing_credits"]["used"]
    assert used - before == 2, "one credit for every started megapixel of the canvas"


def test_its_refusals_are_like_those_of_the_others(service, key, small, large):
    def refused(asset, options):
        answer = submit(service, key, asset, options)
        return answer.status, answer.json()["code"], answer.json()["error"]

    others = [{"other_asset_id": large}]
    assert refused(None, {"others": others}) == (400, "invalid_request", "same_size requires asset_id")
    assert refused(small, {"others": []}) == (400, "invalid_option", "others must have 1 to 8 items")
    assert refused(small, {"others": others, "background": "#0000"})[2] == "background must be opaque"
    assert refused(small, {"others": [{"other_asset_id": str(uuid.uuid4())}]})[:2] == (404, "asset_not_found")
    assert "did you mean" in refused(small, {"others": others, "fromat": "png"})[2]


def test_a_replay_knows_it_again(service, key, small, large):
    options = {"others": [{"other_asset_id": large}]}
    first = submit(service, key, small, options, **{"Idempotency-Key": "same-size-1"})
    again = submit(service, key, small, options | {"format": "png"}, **{"Idempotency-Key": "same-size-1"})
    assert again.headers["Idempotency-Replayed"] == "true" and again.json()["id"] == first.json()["id"]
    assert submit(service, key, small, options | {"format": "webp"}, **{"Idempotency-Key": "same-size-1"}).status == 409
    wait_for_job(service, key, first.json()["id"])


def test_metrics_count_it_by_its_name(service, key, small, large):
    job = submit(service, key, small, {"others": [{"other_asset_id": large}]}).json()
    wait_for_job(service, key, job["id"])
    text = service.get("/metrics").body.decode()
    assert re.search(r'^tessera_jobs_accepted_total\{operation="same_size"\} [1-9]', text, re.M), text


def test_the_openapi_document_has_it_and_is_otherwise_the_same(service):
    with_it = service.get("/openapi.json").json()
    without = json.loads(subprocess.run([str(BINARY), "openapi"], capture_output=True, check=True, timeout=PATIENCE).stdout)
    schemas = with_it["components"]["schemas"]
    request = schemas.pop("JobRequest_same_size")
    assert request["required"] == ["asset_id", "operation", "options"]
    assert request["properties"]["operation"]["const"] == "same_size"
    named = request["properties"]["options"]["properties"]["others"]["items"]["properties"]["other_asset_id"]
    assert (named["type"], named["format"]) == ("string", "uuid")
    assert request["examples"][0]["operation"] == "same_size" and "opaque_background" in request["x-rules"]
    assert schemas["OperationName"]["enum"].pop() == "same_size"
    assert schemas["JobRequest"]["oneOf"].pop()["$ref"].endswith("/JobRequest_same_size")
    assert schemas["JobRequest"]["discriminator"]["mapping"].pop("same_size").endswith("/JobRequest_same_size")
    assert with_it == without


def test_the_command_line_has_it(tmp_path):
    (tmp_path / "small.png").write_bytes(png(40, 30))
    (tmp_path / "large.png").write_bytes(png(120, 90))
    out = tmp_path / "out.png"
    others = json.dumps([{"other_file": str(tmp_path / "large.png")}])
    done = process(SIXTH, "same_size", tmp_path / "small.png", out, "--others", others, "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["width"], told["height"], told["metadata"]["source_height"]) == (120, 90, 30)
    assert png_size(out.read_bytes()) == (120, 90)
    wrong = process(SIXTH, "same_size", tmp_path / "small.png", tmp_path / "out.avif", "--others", others)
    assert wrong.returncode == 2 and "name it .png or .webp" in wrong.stderr
    over = process(SIXTH, "same_size", tmp_path / "small.png", tmp_path / "large.png", "--force", "--others", others)
    assert over.returncode == 2, "a source is never written over"
    assert process(BINARY, "same_size", tmp_path / "small.png", out).returncode == 2, "the program itself has it not"


def test_the_client_has_it(service, key, tmp_path):
    (tmp_path / "small.png").write_bytes(png(40, 30))
    (tmp_path / "large.png").write_bytes(png(120, 90))
    who = {"HOME": str(tmp_path), "TESSERA_URL": f"http://127.0.0.1:{service.port}", "TESSERA_API_KEY": key}
    line = [str(SIXTH), "remote", "run", "same_size", "small.png", "out.png", "--others", '[{"other_file": "large.png"}]']
    done = subprocess.run(line, capture_output=True, text=True, timeout=PATIENCE * 4, cwd=tmp_path, env=who)
    assert done.returncode == 0, done.stderr
    assert png_size((tmp_path / "out.png").read_bytes()) == (120, 90)


def test_help_tells_of_it(tmp_path):
    text = process(SIXTH, "same_size", "--help").stdout
    assert "The picture that gets a canvas" in text and "objects of other_file." in text
    (example,) = re.findall(r"^  tessera process (same_size .*)$", text, re.M)
    assert example in process(SIXTH, "--help").stdout
    (tmp_path / "photo.jpg").write_bytes(png(40, 30))
    (tmp_path / "map.png").write_bytes(png(120, 90))
    done = subprocess.run(f"{SIXTH} process {example}", shell=True, cwd=tmp_path, capture_output=True, timeout=PATIENCE * 4)
    assert done.returncode == 0, done.stderr
    assert png_size((tmp_path / "padded.png").read_bytes()) == (120, 90)
