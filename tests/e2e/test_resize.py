"""What a resize does beyond its size, through the service: places, turns, borders, several results; and the same on local files."""

import base64
import json
import re
import subprocess

import pictures
import pytest
from service import BINARY, PATIENCE, request_path, upload, wait_for_job


PLAN = """
[[plan]]
code = "tiny"
display_name = "Tiny"
description = "Little room."
billing_amount_minor = 0
billing_interval = "monthly"
included_processing_credits = 100

[plan.limits]
max_artifact_bytes_per_job = 2_000_000
"""


@pytest.fixture(scope="module")
def asset(service, key):
    """Red grows to the right and green downwards, by 2 a pixel."""
    return upload(service, key, pictures.png_of(100, 80, lambda x, y: (2 * x, 2 * y, 9, 255))).json()["id"]


def submit(service, key, asset, options):
    return service.post("/v1/jobs", body={"asset_id": asset, "operation": "resize", "options": options}, key=key)


def run(service, key, asset, options):
    answer = submit(service, key, asset, options)
    assert answer.status == 201, answer
    job = wait_for_job(service, key, answer.json()["id"])
    assert job["status"] == "succeeded", job
    return job


def download(service, key, artifact, path):
    url = service.get(f"/v1/artifacts/{artifact['id']}", key=key).json()["download_url"]
    path.write_bytes(service.get(request_path(url)).body)
    return path


def point(path, x, y):
    out = subprocess.run(["vips", "getpoint", str(path), str(x), str(y)], capture_output=True, text=True, check=True).stdout
    return [round(float(value)) for value in out.split()][:3]


def size(path):
    header = subprocess.run(["vipsheader", str(path)], capture_output=True, text=True, check=True).stdout
    return header.split(": ")[1].split(" ")[0]


@pytest.mark.parametrize(
    "options, expected, corner",
    [
        ({"crop": {"x": 10, "y": 20, "width": 30, "height": 40}}, "30x40", [20, 40, 9]),
        ({"crop": {"x": 0.1, "y": 0.25, "width": 0.3, "height": 0.5, "unit": "fraction"}}, "30x40", [20, 40, 9]),
        ({"rotate": 90}, "80x100", [0, 158, 9]),
        ({"flip": "horizontal"}, "100x80", [198, 0, 9]),
        ({"rotate": 180, "flip": "vertical"}, "100x80", [198, 0, 9]),
        ({"height": 80, "width": 20, "fit": "cover", "focus": {"x": 0.75, "y": 0.5}}, "20x80", [130, 0, 9]),
        ({"width": 50, "dpr": 2}, "100x80", [0, 0, 9]),
        ({"crop": {"x": 10, "y": 20, "width": 30, "height": 40}, "rotate": 270, "flip": "both"}, "40x30", [20, 118, 9]),
    ],
)
def test_what_is_asked_is_what_comes(service, key, asset, tmp_path, options, expected, corner):
    job = run(service, key, asset, {"width": 200, "format": "png", **options})
    made = download(service, key, job["artifacts"][0], tmp_path / "made.png")
    assert (size(made), point(made, 0, 0)) == (expected, corner)
    width, height = map(int, expected.split("x"))
    assert (job["artifacts"][0]["width"], job["artifacts"][0]["height"]) == (width, height)


def test_borders_fall_and_the_size_is_that_of_the_file(service, key, tmp_path):
    bordered = pictures.png_of(90, 70, lambda x, y: (200, 0, 0, 255) if 20 <= x < 50 and 10 <= y < 60 else (255, 255, 255, 255))
    asset = upload(service, key, bordered).json()["id"]
    job = run(service, key, asset, {"width": 200, "trim": 0, "format": "png"})
    made = download(service, key, job["artifacts"][0], tmp_path / "made.png")
    assert size(made) == "30x50"
    assert (job["artifacts"][0]["width"], job["artifacts"][0]["height"]) == (30, 50)


def test_what_trim_leaves_is_held_against_the_plan_by_the_engine(service):
    plan_key = service.new_account("trimmer", plan="starter")
    line = pictures.png_of(60, 40, lambda x, y: (0, 0, 0, 255) if x == 9 and 2 < y < 38 else (255, 255, 255, 255))
    asset = upload(service, plan_key, line).json()["id"]
    answer = submit(service, plan_key, asset, {"width": 4000, "trim": 0, "enlarge": True, "format": "png"})
    assert answer.status == 201, answer
    job = wait_for_job(service, plan_key, answer.json()["id"])
    assert (job["status"], job["error_code"], job["artifacts"]) == ("failed", "output_too_large", [])
    assert "4000x140000 pixels" in job["error_message"]


def test_several_results_have_their_kinds_in_order(service, key, asset, tmp_path):
    options = {"quality": 70, "outputs": [{"width": 40, "format": "webp"}, {"width": 90, "format": "png"}, {"height": 20, "format": "jpeg"}, {"width": 40}]}
    job = run(service, key, asset, options)
    told = [(made["kind"], made["content_type"], made["width"], made["height"]) for made in job["artifacts"]]
    assert told == [
        ("primary", "image/webp", 40, 32), ("w90", "image/png", 90, 72), ("h20", "image/jpeg", 25, 20), ("w40", "image/png", 40, 32),
    ]  # fmt: skip
    for made, expected in zip(job["artifacts"], ["40x32", "90x72", "25x20", "40x32"]):
        assert size(download(service, key, made, tmp_path / made["kind"])) == expected
    assert job["options"]["outputs"][3] == {
        "width": 40, "fit": "inside", "position": "centre", "format": "png", "quality": 70, "background": "#00000000", "enlarge": False,
    }  # fmt: skip
    again = submit(service, key, asset, job["options"])
    assert again.status == 201 and again.json()["options"] == job["options"]


def test_several_results_share_the_plans_room_for_bytes(service, tmp_path):
    noisy = pictures.noise_png(700, 700)
    plans = tmp_path / "plans.toml"
    plans.write_text(PLAN)
    service.admin("plan", "apply", plans)
    key = service.new_account("tiny", plan="tiny")
    asset = upload(service, key, noisy).json()["id"]
    one = {"width": 650, "format": "png"}
    assert len(run(service, key, asset, {"outputs": [one]})["artifacts"]) == 1
    answer = submit(service, key, asset, {"outputs": [one, one]})
    job = wait_for_job(service, key, answer.json()["id"])
    assert (job["status"], job["error_code"], job["artifacts"]) == ("failed", "artifact_too_large", [])


def test_results_say_what_they_look_like(service, key, asset):
    metadata = run(service, key, asset, {"outputs": [{"width": 40}, {"width": 20, "format": "jpeg"}]})["artifacts"][1]["metadata"]
    assert len(metadata["placeholder"]["blurhash"]) == 28
    assert len(base64.b64decode(metadata["placeholder"]["thumbhash"])) > 15
    assert metadata["dominant_color"] == metadata["palette"][0] and 1 <= len(metadata["palette"]) <= 6


def test_a_watermark_is_an_asset_of_the_account(service, key, asset, tmp_path):
    logo = upload(service, key, pictures.png_of(10, 10, lambda x, y: (255, 255, 255, 255))).json()["id"]
    job = run(service, key, asset, {"width": 100, "format": "png", "overlay": {"asset_id": logo, "margin": 5}})
    made = download(service, key, job["artifacts"][0], tmp_path / "made.png")
    assert (point(made, 90, 70), point(made, 96, 70)) == ([255, 255, 255], [192, 140, 9])
    stranger = service.new_account("watermark-stranger")
    theirs = upload(service, stranger, pictures.png(10, 10)).json()["id"]
    refused = submit(service, key, asset, {"width": 100, "overlay": {"asset_id": theirs}})
    assert (refused.status, refused.json()["error"]) == (404, "asset not found")


def process(*arguments):
    return subprocess.run([str(BINARY), "process", *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE * 4)


def test_the_same_on_local_files(tmp_path):
    source = tmp_path / "in.png"
    source.write_bytes(pictures.png_of(100, 80, lambda x, y: (2 * x, 2 * y, 9, 255)))
    crop = '{"x": 10, "y": 20, "width": 30, "height": 40}'
    done = process("resize", source, tmp_path / "out.png", "--width", 90, "--crop", crop, "--rotate", 90, "--flip", "vertical", "--blur", 0.5, "--sharpen", 1, "--dpr", 1.5)
    assert done.returncode == 0, done.stderr
    assert size(tmp_path / "out.png") == "40x30"
    done = process("resize", source, tmp_path / "marked.png", "--width", 50, "--overlay", json.dumps({"file": str(source), "scale": 0.5}))
    assert done.returncode == 0, done.stderr
    done = process("resize", source, tmp_path / "wrong.png", "--width", 90, "--rotate", 45)
    assert done.returncode == 2 and "rotate must be 0, 90, 180 or 270" in done.stderr
    outputs = '[{"width": 50}, {"width": 25}, {"width": 20, "format": "jpeg"}]'
    done = process("resize", source, tmp_path / "set.webp", "--outputs", outputs, "--json")
    assert done.returncode == 0, done.stderr
    names = [json.loads(line)["file"].rsplit("/", 1)[1] for line in done.stdout.splitlines()]
    assert names == ["set.webp", "set-w25.webp", "set-w20.jpg"]
    assert [size(tmp_path / name) for name in names] == ["50x40", "25x20", "20x16"]
    done = process("resize", source, tmp_path / "set.webp", "--outputs", outputs)
    assert done.returncode == 4, "nothing is replaced"


def test_names_of_several_local_results(tmp_path):
    source = tmp_path / "in.png"
    source.write_bytes(pictures.png_of(100, 80, lambda x, y: (2 * x, 2 * y, 9, 255)))
    first_is_jpeg = '[{"width": 50, "format": "jpeg"}, {"width": 25}]'
    done = process("resize", source, tmp_path / "set.webp", "--outputs", first_is_jpeg)
    assert done.returncode == 2 and "the name says webp and" in done.stderr and "jpeg" in done.stderr
    assert process("resize", source, tmp_path / "set.jpg", "--outputs", first_is_jpeg).returncode == 0
    assert identified(tmp_path / "set.jpg") == identified(tmp_path / "set-w25.jpg") == "JPEG"
    done = process("resize", source, tmp_path / "any", "--outputs", '[{"width": 50, "format": "auto"}, {"width": 25, "format": "png"}]', "--json")
    assert done.returncode == 0, done.stderr
    line = json.loads(done.stdout.splitlines()[0])
    assert line["file"].rsplit(".", 1)[1] in ("avif", "webp", "jpg", "png") and (tmp_path / "any-w25.png").exists()
    assert not re.search(r"\d[eE][-+]?\d", done.stdout), "numbers are written plainly"
    (tmp_path / "new-w25.webp").write_bytes(b"somebody else's")
    done = process("resize", source, tmp_path / "new.webp", "--outputs", '[{"width": 50}, {"width": 25}]')
    assert done.returncode == 4 and not (tmp_path / "new.webp").exists(), "all of them or none"


def identified(path):
    head = path.read_bytes()[:12]
    return "JPEG" if head.startswith(b"\xff\xd8\xff") else "WEBP" if head[8:] == b"WEBP" else "other"
