"""/metrics: written as Prometheus reads it, described on docs/metrics.md to the last family, and true."""

import re

import pytest
from pictures import noise_png, png
from prometheus import parse
from service import PATIENCE, ROOT, Service, upload, wait_for_job, wait_until

PAGE = (ROOT / "docs" / "metrics.md").read_text()
ROW = re.compile(r"\| `([a-z_0-9]+)` \| (counter|gauge|histogram) \| (node|cluster) \| (.*?) \| (.*) \|")
DESCRIBED = {match[0]: match for match in ROW.findall(PAGE)}


def metrics_of(service):
    answer = service.get("/metrics")
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    return parse(answer.body.decode())


def submit(service, key, body):
    answer = service.post("/v1/jobs", body=body, key=key)
    assert answer.status == 201, answer
    return answer.json()["id"]


def check_against_page(families):
    for name, family in families.items():
        _, kind, _, labels, meaning = DESCRIBED[name]
        assert (family.type, family.help) == (kind, meaning), name
        named = set(re.findall(r"`([a-z_]+)`(?: \(|,|$)", re.sub(r"\([^)]*\)", "(", labels)))
        assert family.label_names() <= named, (name, family.label_names(), named)


def test_every_family_is_on_the_page_and_every_one_of_the_page_is_there(service):
    families = metrics_of(service)
    check_against_page(families)
    assert set(families) == set(DESCRIBED)


def test_with_s3_its_requests_and_caches_are_counted(ceph, make_service):
    service = make_service(
        settings={
            "rate_limits.enabled": "false",
            "blobs.url": f"s3://tessera/metrics?endpoint={ceph.endpoint}",
            "blobs.access_key_id": ceph.access_key,
            "blobs.secret_access_key": ceph.secret_key,
        }
    )
    key = service.new_account("tester")
    asset = upload(service, key, png(32, 32)).json()["id"]
    resize = {"asset_id": asset, "operation": "resize", "options": {"width": 16}}
    assert wait_for_job(service, key, submit(service, key, resize))["status"] == "succeeded"
    families = metrics_of(service)
    check_against_page(families)
    assert families["tessera_s3_request_seconds"].value("_count", method="PUT") >= 2
    caches = {dict(labels)["cache"] for _, labels in families["tessera_cache_bytes"].samples}
    assert caches == {"tiles", "s3_memory", "s3_disk", "s3_objects"}


def test_jobs_are_counted_by_operation_and_how_they_ended(make_service):
    service = make_service()
    key = service.new_account("tester")
    picture = png(1200, 1000, colour=(90, 120, 30))
    asset = upload(service, key, picture).json()["id"]
    cut = upload(service, key, noise_png(64, 64)[:6000]).json()["id"]
    resize = {"asset_id": asset, "operation": "resize", "options": {"width": 16}}
    assert wait_for_job(service, key, submit(service, key, resize))["status"] == "succeeded"
    broken = wait_for_job(service, key, submit(service, key, {**resize, "asset_id": cut}))
    assert broken["error_code"] == "decode_failed"
    assert service.post("/v1/jobs", body={**resize, "operation": "paint"}, key=key).status == 400
    failed = {"operation": "resize", "error_code": "decode_failed"}
    # A worker counts a moment after it told the database.
    wait_until(lambda: metrics_of(service)["tessera_jobs_failed_total"].value(**failed) == 1, "the failure to be counted")
    families = metrics_of(service)

    def value(name, ending="", **labels):
        return families[name].value(ending, **labels)

    assert value("tessera_jobs_accepted_total", operation="resize") == 2
    assert value("tessera_jobs_succeeded_total", operation="resize") == 1
    unhurt = {"operation": "tile", "error_code": "engine_crashed"}
    shown = ("tessera_jobs_failed_total", tuple(sorted(unhurt.items())))
    assert families["tessera_jobs_failed_total"].samples[shown] == 0, "what has not failed yet is shown, so that the first one is an increase"
    assert value("tessera_engine_outcomes_total", work="resize", outcome="ok") == 1
    assert value("tessera_engine_outcomes_total", work="resize", outcome="decode_failed") == 1
    assert value("tessera_engine_outcomes_total", work="probe", outcome="ok") == 2
    assert value("tessera_worker_paused") == 0
    assert value("tessera_job_duration_seconds", "_count", operation="resize") == 2
    assert value("tessera_job_wait_seconds", "_count", lane="light") == 2
    assert value("tessera_credits_charged_total", operation="resize") == 3
    refusals = {"method": "POST", "route": "/v1/jobs", "code": "unsupported_operation"}
    assert value("tessera_http_refusals_total", **refusals) == 1
    assert value("tessera_database_call_seconds", "_count", kind="write") > 0
    assert value("process_resident_memory_bytes") > 1e6 and value("process_open_fds") > 10
    assert value("tessera_disk_size_bytes", folder="data") > value("tessera_disk_free_bytes", folder="data") > 0
    asked = {"method": "POST", "route": "/v1/jobs", "status": "5xx"}
    assert ("tessera_http_requests_total", tuple(sorted(asked.items()))) in families["tessera_http_requests_total"].samples
    wait_until(lambda: metrics_of(service)["tessera_stored_bytes"].value() > len(picture), "the bytes to be counted")
    assert metrics_of(service)["tessera_stored_assets"].value() == 2


@pytest.mark.parametrize("backend", ["sqlite", "postgres"])
def test_the_queue_is_shown_by_lane_with_its_oldest(backend, make_service, folder, request):
    settings = {"rate_limits.enabled": "false", "limits.heavy_megapixels": "1"}
    if backend == "postgres":
        settings |= {"metadata.url": request.getfixturevalue("database").url, "blobs.url": f"file:{folder}/blobs"}
    service = make_service(settings=settings, arguments=["--workers", "0"])
    key = service.new_account("tester")
    light = upload(service, key, png(32, 32)).json()["id"]
    heavy = upload(service, key, png(1200, 1000, colour=(90, 120, 30))).json()["id"]
    for asset in (light, light, heavy):
        submit(service, key, {"asset_id": asset, "operation": "resize", "options": {"width": 16}})

    def lanes(name):
        family = metrics_of(service)[name]
        return family.value(lane="light"), family.value(lane="heavy")

    wait_until(lambda: lanes("tessera_queue_jobs") == (2, 1), "three jobs to be shown")
    wait_until(lambda: min(lanes("tessera_queue_oldest_seconds")) > 0, "their age")
    assert metrics_of(service)["tessera_queue_running_jobs"].value() == 0


def test_a_worker_node_serves_its_own_numbers(database, make_service, folder):
    settings = {"rate_limits.enabled": "false", "metadata.url": database.url, "blobs.url": f"file:{folder}/blobs"}
    front = make_service("front", settings=settings, arguments=["--workers", "0"])
    back = Service(folder / "back", command="worker")
    back.settings = {**settings, "worker.admin_listen": f"127.0.0.1:{back.port}"}
    back.start()
    try:
        key = front.new_account("tester")
        asset = upload(front, key, png(32, 32)).json()["id"]
        job = submit(front, key, {"asset_id": asset, "operation": "resize", "options": {"width": 16}})
        assert wait_for_job(front, key, job)["status"] == "succeeded"
        succeeded = "tessera_jobs_succeeded_total"
        wait_until(lambda: metrics_of(back)[succeeded].value(operation="resize") == 1, "the job to be counted")
        families = metrics_of(back)
        check_against_page(families)
        assert back.get("/healthz").status == 200 and back.get("/v1/plans").status == 404
        assert succeeded not in metrics_of(front), "who has no worker counts no jobs"
    finally:
        assert back.stop() == 0
    assert back.complaints() == []


def test_metrics_are_answered_while_the_database_is_away(postgres, database, make_service, folder):
    settings = {"rate_limits.enabled": "false", "metadata.url": database.url, "blobs.url": f"file:{folder}/blobs"}
    service = make_service(settings=settings, clean_log=False)
    postgres.down()
    try:
        wait_until(lambda: metrics_of(service)["tessera_ready"].value(part="database") == 0, "the database to be missed")
        wait_until(lambda: "tessera_queue_jobs" not in metrics_of(service), "what it does not tell to be left out")
    finally:
        postgres.up()
    wait_until(lambda: "tessera_queue_jobs" in metrics_of(service), "what it tells again", patience=2 * PATIENCE)
