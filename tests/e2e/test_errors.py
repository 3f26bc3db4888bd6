"""The errors that people meet first: each says what was wrong, what the rule is and what to do."""

import re
import uuid

import pytest
from pictures import png
from service import multipart, upload
from tilesets import run_job
from upload_samples import png_claiming, png_of_size

PLAN = """
[[plan]]
code = "tight"
display_name = "Tight"
is_public = true
billing_amount_minor = 0
included_processing_credits = 3
[plan.limits]
max_upload_bytes = 40000
max_input_edge_pixels = 5000
max_output_edge_pixels = 500
max_tile_patch_patches_per_job = 1
max_in_flight_jobs = 2
"""

OPERATIONS = "resize, optimize, tile, grid_render or tile_patch"
KEY_RULE = "use 8 to 128 characters, each a letter, a digit, '.', '_', ':' or '-'"
FORM_RULE = "send multipart/form-data with the image in a part called file, as curl -F file=@picture.jpg does"


def fields_of(answer):
    body = answer.json()
    assert set(body) <= {"error", "code", "request_id", "hint", "limit"}, body
    assert body["request_id"] == answer.headers["X-Request-ID"]
    assert len(body["hint"]) > 10 and not body["hint"].endswith("."), body
    return body


@pytest.fixture(scope="module")
def asset(service, key):
    return upload(service, key, png(64, 48)).json()["id"]


def job(operation, options, asset=None, **more):
    return {"operation": operation, "options": options, **({"asset_id": asset} if asset else {}), **more}


def without(body, name):
    return {key: value for key, value in body.items() if key != name}


GOOD = job("resize", {"width": 10}, "ASSET")
NOBODY = str(uuid.UUID(int=5))

# What is sent to POST /v1/jobs, and the code, the exact `error` and a part of the `hint` that come back.
JOBS = [
    (without(GOOD, "operation"), "unsupported_operation", "unsupported operation", f"operation must be {OPERATIONS}"),
    ({**GOOD, "operation": "resise"}, "unsupported_operation", "unsupported operation", "did you mean 'resize'?"),
    ({**GOOD, "operation": "Tile"}, "unsupported_operation", "unsupported operation", "did you mean 'tile'?"),
    ({**GOOD, "operation": 7}, "unsupported_operation", "unsupported operation", OPERATIONS),
    (without(GOOD, "options"), "options_required", "options object is required", "{} where every default will do"),
    (without(GOOD, "asset_id"), "invalid_request", "resize requires asset_id", "POST /v1/assets"),
    ({**GOOD, "width": 10}, "invalid_request", "unknown field 'width'", "'width' is an option: put it inside options"),
    ({**GOOD, "option": {}}, "invalid_request", "unknown field 'option'", "did you mean 'options'?"),
    ({**GOOD, "asset_id": "x"}, "invalid_id", "asset_id must be a valid uuid", "use them as the service gave them"),
    ({**GOOD, "asset_id": NOBODY}, "asset_not_found", "asset not found", "upload the image again"),
    (job("resize", {}, "ASSET"), "invalid_option", "resize requires width or height", "/openapi.json"),
    (job("resize", {"width": "10"}, "ASSET"), "invalid_option", "width must be an integer from 1 to 100000", "without quotes"),
    (job("resize", {"widht": 10}, "ASSET"), "invalid_option", 'unknown option "widht"; did you mean "width"?', "/openapi.json"),
    (job("tile", {"background": "Rde"}, "ASSET"), "invalid_option",
     "background must be a colour such as #ffffff, #ffffff80, white or transparent", 'did you mean "red"?'),
    (job("tile", {"background": "#12345"}, "ASSET"), "invalid_option",
     "background must be a colour such as #ffffff, #ffffff80, white or transparent", "a name that CSS has"),
    (job("optimize", {"lossless": True, "format": "jpeg"}, "ASSET"), "invalid_option",
     "lossless optimize is not supported for jpeg output", "/openapi.json"),
    (job("tile", {"tileset_id": "x"}, "ASSET"), "invalid_option", "tileset_id must be a valid uuid", "/openapi.json"),
    (job("tile_patch", {"tileset_id": NOBODY, "patches": [{"x": 0, "y": 0, "width": 1, "height": 1, "color": "red"}]}),
     "tileset_not_found", "tileset not found", "tile job"),
    (job("grid_render", {"width": 100, "height": 50, "block_width": 10, "blocks": [{"column": 10, "row": 0, "color": "red"}]}),
     "invalid_option", "blocks[0] reaches outside the grid of 10x5 blocks", "/openapi.json"),
    (b'{"asset_id": nothing}', "invalid_request", "invalid JSON: syntax error", "from byte 13 on"),
    (b"[]", "invalid_request", "the body must be a JSON object", '"operation": "resize"'),
]  # fmt: skip


@pytest.mark.parametrize("body,code,error,hint", JOBS, ids=[f"{i}-{row[1]}" for i, row in enumerate(JOBS)])
def test_a_job_that_is_refused_is_told_the_rule(service, key, asset, body, code, error, hint):
    if isinstance(body, dict) and body.get("asset_id") == "ASSET":
        body = {**body, "asset_id": asset}
    answer = service.post("/v1/jobs", body=body, key=key, headers={"Content-Type": "application/json"})
    fields = fields_of(answer)
    assert (fields["code"], fields["error"]) == (code, error) and hint in fields["hint"], fields
    assert answer.status == (404 if code.endswith("not_found") else 400)


@pytest.mark.parametrize("key_text,what", [("short", "the key has 5 characters"), ("x" * 129, "has 129 characters"),
                                           ("a key with blanks", "the key has another character")])  # fmt: skip
def test_an_idempotency_key_that_is_refused_is_told_the_rule(service, key, asset, key_text, what):
    answer = service.post("/v1/jobs", body={**GOOD, "asset_id": asset}, key=key, headers={"Idempotency-Key": key_text})
    fields = fields_of(answer)
    assert (answer.status, fields["error"], fields["code"]) == (400, *["invalid_idempotency_key"] * 2)
    assert fields["hint"].endswith(f"; {KEY_RULE}") and what in fields["hint"], fields


def test_a_key_that_was_used_for_other_work_says_what_to_do(service, key, asset):
    for width, status in ((10, 201), (11, 409)):
        body = job("resize", {"width": width}, asset)
        answer = service.post("/v1/jobs", body=body, key=key, headers={"Idempotency-Key": "errors-page-1"})
        assert answer.status == status
    assert "use a new key for new work" in fields_of(answer)["hint"]


def test_uploads_that_are_no_forms_with_a_file_are_told_how(service, key):
    picture = png(10, 10)
    boundary = "multipart/form-data; boundary=tessera-test-boundary"
    whole, _ = multipart(picture)
    other, _ = multipart(picture, field="image")
    cases = [
        (picture, "image/png", "invalid multipart upload", "the Content-Type is 'image/png' and not multipart/form-data"),
        (b"file=abc", "application/x-www-form-urlencoded", "invalid multipart upload", "x-www-form-urlencoded'"),
        (picture, None, "invalid multipart upload", "the request has no Content-Type"),
        (whole, "multipart/form-data", "invalid multipart upload", "has no boundary"),
        (whole[:-20], boundary, "invalid multipart upload", "the body ends before its last boundary"),
        (other, boundary, "file is required", "the form has a part called 'image', but none called 'file'"),
        (b"--tessera-test-boundary--\r\n", boundary, "file is required", "in a part called file"),
    ]
    for body, content_type, error, hint in cases:
        headers = {"Content-Type": content_type} if content_type else {}
        answer = service.post("/v1/assets", body=body, key=key, headers=headers)
        fields = fields_of(answer)
        assert (answer.status, fields["error"]) == (400, error) and hint in fields["hint"], fields
        assert "curl -F file=@picture.jpg" in fields["hint"], fields


def test_what_is_asked_for_wrongly_elsewhere_is_told_the_rule(service, key, asset):
    tile = run_job(service, key, "tile", {}, asset)["artifacts"][0]["metadata"]["tileset_id"]
    cases = [
        ("/v1/jobs/x", key, 400, "invalid job id", "ids are UUIDs"),
        (f"/v1/jobs/{NOBODY}", key, 404, "job not found", "check the id"),
        ("/v1/artifacts/x", key, 400, "invalid artifact id", "ids are UUIDs"),
        (f"/v1/artifacts/{NOBODY}", key, 404, "artifact not found", "run the job again"),
        (f"/v1/artifacts/{NOBODY}/download?expires=1&sig=00", None, 403, "invalid or expired download signature", "read the artifact"),
        (f"/v1/tilesets/{NOBODY}/xyz/0/0/0.png", key, 404, "tileset not found", "tile job"),
        (f"/v1/tilesets/{tile}/xyz/0/0/zero.jpg", key, 400, "invalid tile coordinates", "/3/5/2.png"),
        (f"/v1/tilesets/{tile}/xyz/9/0/0.jpg", key, 404, "tile not found", "up to its max_zoom"),
        ("/v1/account", None, 401, "missing api key", "'Authorization: Bearer KEY' or as 'X-API-Key: KEY'"),
        ("/v1/account", "tsr_wrong", 401, "invalid api key", "check that the key is complete"),
        ("/v2/plans", None, 404, "not found", "/openapi.json lists all routes"),
    ]  # fmt: skip
    for path, with_key, status, error, hint in cases:
        answer = service.get(path, key=with_key)
        fields = fields_of(answer)
        assert (answer.status, fields["error"]) == (status, error) and hint in fields["hint"], (path, fields)
    answer = service.post("/v1/plans")
    assert (answer.status, fields_of(answer)["hint"]) == (405, "use a method that the Allow header names")


def test_limits_of_the_plan_have_names_units_and_numbers(make_service, folder):
    (folder / "plans.toml").write_text(PLAN)
    settings = {"plans.file": folder / "plans.toml", "limits.max_canvas_megapixels": 2, "rate_limits.uploads": 6}
    service = make_service(settings=settings, arguments=["--workers", "0"])
    key = service.new_account("tester", plan="tight")

    def ask(operation, options, asset=None):
        answer = service.post("/v1/jobs", body=job(operation, options, asset), key=key)
        return (answer, fields_of(answer)) if answer.status >= 400 else (answer, None)

    answer = upload(service, key, png_of_size(40_001))
    fields = fields_of(answer)
    assert (answer.status, fields["error"]) == (400, "upload exceeds the limit of 40000 bytes")
    assert fields["limit"] == {"name": "max_upload_bytes", "unit": "bytes", "allowed": 40_000}
    assert "max_upload_bytes" in fields["hint"]
    fields = fields_of(upload(service, key, png_claiming(6000, 1)))
    assert fields["error"] == "the image is 6000 x 1 pixels; at most 5000 on an edge are allowed"
    assert "max_input_edge_pixels" in fields["hint"]
    uploaded = upload(service, key, png(1500, 1000, (9, 9, 9)))
    assert uploaded.status == 201, uploaded
    asset = uploaded.json()["id"]  # two credits

    answer, fields = ask("resize", {"width": 600}, asset)
    assert answer.status == 429 and "Retry-After" not in answer.headers
    assert fields["error"] == "the job needs 600 pixels, over the plan's limit max_output_edge_pixels of 500 pixels"
    assert fields["limit"] == {"name": "max_output_edge_pixels", "unit": "pixels", "allowed": 500, "asked": 600}
    answer, fields = ask("grid_render", {"width": 2000, "height": 1500, "block_width": 100})
    assert (answer.status, fields["code"]) == (429, "worker_capacity_exceeded")
    assert "limits.max_canvas_megapixels" in fields["hint"] and "needs 3 megapixels" in fields["hint"]
    assert fields["limit"] == {"name": "limits.max_canvas_megapixels", "unit": "megapixels", "allowed": 2, "asked": 3}

    accepted, _ = ask("resize", {"width": 10}, asset)
    assert (accepted.status, accepted.headers["Job-Credits"]) == (201, "2")
    answer, fields = ask("resize", {"width": 10}, asset)
    assert (answer.status, fields["code"]) == (429, "credits_exhausted") and "Retry-After" not in answer.headers
    assert fields["error"] == "the job needs 2 processing credits, more than the period has left"
    end = fields["limit"].pop("resets_at")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", end) and end > accepted.json()["queued_at"]
    assert fields["limit"] == {"name": "included_processing_credits", "unit": "credits", "allowed": 3, "asked": 2, "left": 1}
    assert f"1 of 3 credits are left until {end}" in fields["hint"]

    small = upload(service, key, png(10, 10)).json()["id"]
    assert ask("resize", {"width": 5}, small)[0].status == 201
    answer, fields = ask("resize", {"width": 5}, small)
    assert (answer.status, fields["code"], answer.headers["Retry-After"]) == (429, "in_flight_limit_exceeded", "1")
    assert fields["limit"] == {"name": "max_in_flight_jobs", "unit": "jobs", "allowed": 2, "left": 0}

    upload(service, key, png(11, 10))
    upload(service, key, png(12, 10))
    answer = upload(service, key, png(13, 10))
    fields = fields_of(answer)
    assert (answer.status, fields["error"]) == (429, "rate limit exceeded")
    wait = answer.headers["Retry-After"]
    assert fields["hint"] == (
        f"POST /v1/assets takes 6 requests from one account within 60 seconds; wait {wait} second{'s' if wait != '1' else ''}"
    )
    assert fields["limit"] == {"name": "rate_limits.uploads", "unit": "requests", "allowed": 6, "left": 0}


def test_too_many_bad_keys_are_told_how_long_to_wait(make_service):
    service = make_service(settings={"rate_limits.failed_authentication": 2})
    answers = [service.get("/v1/account", key="wrong") for _ in range(3)]
    assert [answer.status for answer in answers] == [401, 401, 429]
    fields = fields_of(answers[2])
    assert fields["hint"].startswith("an address may send 2 requests without a good key within 60 seconds; wait ")
    assert fields["limit"]["name"] == "rate_limits.failed_authentication"


def test_bounds_of_the_server_are_named_by_their_settings(make_service):
    service = make_service(settings={"server.max_head_bytes": "2KiB", "server.max_target_bytes": 300, "server.max_headers": 10})
    for headers, status, key in (({"X-Long": "x" * 3000}, 431, "server.max_head_bytes"),
                                 ({f"X-{i}": "1" for i in range(20)}, 431, "server.max_headers")):  # fmt: skip
        answer = service.get("/v1/plans", headers=headers)
        assert answer.status == status and key in fields_of(answer)["hint"] and fields_of(answer)["limit"]["name"] == key
    answer = service.get("/v1/plans?" + "x" * 400)
    assert answer.status == 414 and fields_of(answer)["limit"] == {"name": "server.max_target_bytes", "unit": "bytes", "allowed": 300}
    key = service.new_account("tester")
    answer = service.post("/v1/jobs", body=b" " * (1 << 20) + b"{}", key=key)
    assert answer.status == 413 and "at most 1048576 bytes" in fields_of(answer)["hint"]


def test_a_key_without_the_permission_is_told_which(make_service):
    service = make_service()
    service.new_account("tester")
    key = service.new_key("tester", role="reader")
    answer = service.post("/v1/jobs", body={}, key=key)
    fields = fields_of(answer)
    assert (answer.status, fields["error"]) == (403, "permission denied")
    assert fields["hint"] == "this needs the permission jobs:write, which keys of the role reader do not have"


def test_who_asks_for_problem_details_gets_them_and_their_type_explains_the_code(service, key):
    path = f"/v1/jobs/{uuid.uuid4()}"
    plain = fields_of(service.get(path, key=key))
    answer = service.get(path, key=key, headers={"Accept": "application/problem+json"})
    assert answer.status == 404 and answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["Cache-Control"] == "private, no-store"
    problem = answer.json()
    assert (problem["status"], problem["detail"]) == (404, plain["error"])
    assert (problem["code"], problem["hint"]) == (plain["code"], plain["hint"])
    page = service.get(problem["type"])
    assert page.status == 200 and problem["title"] in page.body.decode() and problem["code"] in page.body.decode()
