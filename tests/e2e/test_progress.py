"""`progress` moves while a large picture is encoded, also by libraries that do not say how far they are, and never falls."""

import pytest
from pictures import noise_png
from service import upload, wait_until

SIDE = 1700  # about three megapixels: seconds of work for each of these


@pytest.fixture(scope="module")
def picture():
    return noise_png(SIDE, SIDE)


@pytest.fixture(scope="module")
def small_picture():
    return noise_png(SIDE * 2 // 3, SIDE * 2 // 3)


@pytest.fixture
def watched(make_service):
    return make_service(settings={"rate_limits.enabled": "false", "worker.progress_interval": "50ms"})


@pytest.mark.parametrize(
    "operation,options",
    [
        ("optimize", {"format": "avif", "effort": 4}),
        ("optimize", {"format": "jxl", "effort": 8}),
        ("optimize", {"format": "png", "effort": 6, "lossless": True}),
        ("optimize", {"format": "png", "effort": 4}),
        ("optimize", {"format": "webp", "lossless": True}),
        ("resize", {"width": SIDE - 1, "format": "avif"}),
        ("resize", {"width": SIDE - 1, "format": "webp"}),
    ],
    ids=lambda value: value if isinstance(value, str) else "-".join(str(v) for v in value.values()),
)
def test_progress_moves_through_a_long_encode(watched, picture, small_picture, operation, options):
    key = watched.new_account("tester")
    is_slow = options["format"] == "jxl" and options["effort"] > 7  # one step faster is a second, too short to see much
    asset = upload(watched, key, small_picture if is_slow else picture).json()["id"]
    body = {"asset_id": asset, "operation": operation, "options": options}
    job = watched.post("/v1/jobs", body=body, key=key).json()["id"]
    seen = []

    def ended():
        state = watched.get(f"/v1/jobs/{job}", key=key).json()
        if state["status"] == "running" and (not seen or state["progress"] != seen[-1]):
            seen.append(state["progress"])
        return state["status"] if state["status"] in ("succeeded", "failed") else None

    assert wait_until(ended, "the job to end", patience=300) == "succeeded"
    assert seen == sorted(seen), "never back"
    assert all(value <= 0.99 for value in seen), "not all before the end"
    assert len(seen) >= 6, seen
