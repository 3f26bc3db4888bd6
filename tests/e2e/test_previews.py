"""Small pictures of assets, also of those that browsers can't show; and what an account has used, by day."""

import datetime
import subprocess
import threading

import pytest
from pictures import noise_png, png, truncated_png
from service import request_path, temporary_folder, upload, wait_for_job


def size_of(webp):
    """Width and height as libvips, and not we, read them."""
    with temporary_folder() as folder:
        (folder / "preview.webp").write_bytes(webp)
        said = [
            subprocess.run(["vipsheader", "-f", field, folder / "preview.webp"], capture_output=True, text=True, check=True)
            for field in ("width", "height", "vips-loader")
        ]
    assert "webp" in said[2].stdout
    return int(said[0].stdout), int(said[1].stdout)


def converted(picture, extension):
    with temporary_folder() as folder:
        (folder / "in.png").write_bytes(picture)
        subprocess.run(["vips", "copy", folder / "in.png", folder / f"out.{extension}"], check=True, capture_output=True)
        return (folder / f"out.{extension}").read_bytes()


@pytest.fixture(scope="module")
def asset(service, key):
    return upload(service, key, noise_png(900, 600)).json()["id"]


def preview(service, asset, query="", **more):
    return service.get(f"/v1/assets/{asset}/preview{query}", **more)


def test_a_preview_is_small_and_can_be_kept(service, key, asset):
    answer = preview(service, asset, key=key)
    assert answer.status == 200 and answer.headers["Content-Type"] == "image/webp", answer
    assert size_of(answer.body) == (512, 341)
    assert answer.headers["Cache-Control"] == "private, max-age=3600"
    again = preview(service, asset, key=key, headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status, again.body) == (304, b"") and again.headers["ETag"] == answer.headers["ETag"]
    assert preview(service, asset, key=key).body == answer.body


def test_what_is_small_stays_as_it_is(service, key):
    small = upload(service, key, png(40, 30)).json()["id"]
    assert size_of(preview(service, small, key=key).body) == (40, 30)


@pytest.mark.parametrize("extension, size, small", [("heic", (70, 90), (70, 90)), ("jxl", (700, 900), (398, 512))])
def test_what_browsers_cant_show_has_one_too(service, key, extension, size, small):
    asset = upload(service, key, converted(png(*size), extension), f"picture.{extension}").json()["id"]
    assert size_of(preview(service, asset, key=key).body) == small


def test_the_address_of_the_content_is_good_for_it(service, key, asset):
    content = request_path(service.get(f"/v1/assets/{asset}", key=key).json()["content_url"])
    query = content[content.index("?") :]
    signed = preview(service, asset, query)
    assert signed.status == 200 and size_of(signed.body) == (512, 341)
    assert signed.headers["Cache-Control"].startswith("public, max-age=") and "immutable" in signed.headers["Cache-Control"]
    assert signed.headers["Access-Control-Allow-Origin"] == "*"
    other = upload(service, key, png(9, 9)).json()["id"]
    for refused in (preview(service, other, query), preview(service, asset, query[:-1] + "x"), preview(service, asset, "?sig=x")):
        assert (refused.status, refused.json()["code"]) == (403, "invalid_signature")


def test_others_see_nothing(service, key, asset):
    stranger = service.new_account("stranger")
    refused = preview(service, asset, key=stranger)
    assert (refused.status, refused.json()["error"]) == (404, "asset not found")
    assert preview(service, asset).status == 401
    assert preview(service, asset, key=service.new_key("stranger", role="uploader")).status == 403
    assert preview(service, "nonsense", key=key).json()["code"] == "invalid_id"
    gone = upload(service, key, png(20, 20)).json()["id"]
    assert preview(service, gone, key=key).status == 200
    assert service.request("DELETE", f"/v1/assets/{gone}", key=key).status == 204
    assert preview(service, gone, key=key).status == 404


def test_an_image_that_cant_be_decoded_says_so(service, key):
    broken = upload(service, key, truncated_png()).json()
    if "id" in broken:
        refused = preview(service, broken["id"], key=key)
        assert (refused.status, refused.json()["code"]) == (415, "unsupported_media_type")


def test_many_at_once_are_made_once(service, key):
    asset = upload(service, key, noise_png(1500, 1500)).json()["id"]

    def made():
        page = service.get("/metrics").body.decode()
        line = next(line for line in page.splitlines() if line.startswith('tessera_engine_tasks_total{kind="preview"}'))
        return float(line.split()[-1])

    before, answers = made(), []
    threads = [threading.Thread(target=lambda: answers.append(preview(service, asset, key=key).body)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 8 and len(set(answers)) == 1 and made() == before + 1


def test_usage_by_day(service):
    key = service.new_account("counted", plan="pro")
    first = upload(service, key, png(64, 64)).json()
    job = service.post("/v1/jobs", {"asset_id": first["id"], "operation": "resize", "options": {"width": 8}}, key=key).json()
    wait_for_job(service, key, job["id"])
    answer = service.get("/v1/usage?days=3", key=key)
    assert answer.status == 200 and answer.headers["Cache-Control"] == "private, no-store"
    usage = answer.json()
    today = datetime.datetime.now(datetime.timezone.utc).date()
    assert [day["date"] for day in usage["days"]][-1] in (str(today), str(today - datetime.timedelta(1)))
    assert len(usage["days"]) == 3 and usage["last_day"] == usage["days"][-1]["date"] and usage["first_day"] == usage["days"][0]["date"]
    totals = usage["totals"]
    assert totals["jobs"] == [
        {"operation": "resize", "submitted": 1, "succeeded": 1, "failed": 0, "cancelled": 0, "processing_credits": 1}
    ]
    assert totals["processing_credits"] == 1 and totals["uploads"] == 1 and totals["uploaded_bytes"] == first["byte_size"]
    assert len(service.get("/v1/usage", key=key).json()["days"]) == 30
    for wrong in ("days=0", "days=91", "days=x", "day=3"):
        assert service.get("/v1/usage?" + wrong, key=key).json()["code"] == "invalid_request"
    quiet = service.get("/v1/usage", key=service.new_account("quiet")).json()["totals"]
    assert quiet == {"jobs": [], "processing_credits": 0, "uploads": 0, "uploaded_bytes": 0, "delivered_bytes": 0}
