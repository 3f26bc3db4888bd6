"""`progress` moves while a large picture is encoded, also by libraries that do not say how far they are, and never falls."""

import functools

import pytest
from pictures import noise_png
from service import upload, wait_until

SMALL, MIDDLE, LARGE = 1100, 1700, 3400  # sides: seconds of work for those that are encoded at them, also on a quick machine


@functools.cache
def picture(side):
    return noise_png(side, side)


@pytest.fixture
def watched(make_service):
    return make_service(settings={"rate_limits.enabled": "false", "worker.progress_interval": "50ms"})


@pytest.mark.parametrize(
    "operation,options,side",
    [
        ("optimize", {"format": "avif", "effort": 2}, MIDDLE),
        ("optimize", {"format": "jxl", "effort": 8}, SMALL),
        ("optimize", {"format": "png", "effort": 6, "lossless": True}, LARGE),
        ("optimize", {"format": "png", "effort": 4}, MIDDLE),
        ("optimize", {"format": "webp", "lossless": True}, LARGE),
        ("resize", {"width": MIDDLE - 1, "format": "avif"}, MIDDLE),
        ("resize", {"width": LARGE - 1, "format": "webp"}, LARGE),
    ],
    ids=lambda value: "-".join(str(v) for v in value.values()) if isinstance(value, dict) else str(value),
)
def test_progress_moves_through_a_long_encode(watched, operation, options, side):
    key = watched.new_account("tester")
    asset = upload(watched, key, picture(side)).json()["id"]
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
