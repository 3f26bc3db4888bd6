"""Images that crash, hang or exhaust the engine (with a binary whose engines can be told to): one job fails with a clear
code, and nobody else notices."""

import pytest
from pictures import png
from service import HOOKED, upload, wait_for_job, wait_until


def cursed(order, size=64):
    return png(size, size) + b"TESSERA-HOOK:run:" + order.encode()


@pytest.fixture
def hooked(make_service):
    assert HOOKED.exists(), "build the target tessera-hooked"
    return make_service(
        binary=HOOKED,
        clean_log=False,
        settings={
            "rate_limits.enabled": "false",
            "worker.job_deadline": "8s",  # time enough for a job that does not hang, on a machine that is busy
            "worker.retry_base": "10ms",
            "engine.memory_limit_bytes": "512MiB",
        },
    )


def resize(service, key, content):
    answer = upload(service, key, content)
    assert answer.status == 201, answer
    body = {"asset_id": answer.json()["id"], "operation": "resize", "options": {"width": 16, "format": "png"}}
    return service.post("/v1/jobs", body=body, key=key).json()["id"]


def losses_in(service):
    return [event for event in service.log_events() if event["event"] == "engine_lost"]


def at_least(count, found):
    return found if len(found) >= count else None


@pytest.mark.parametrize(
    "order,code,attempts,charged",
    [
        ("crash", "engine_crashed", 3, 0),
        ("abort", "engine_crashed", 3, 0),
        ("exit", "engine_crashed", 3, 0),
        ("hang", "timeout", 1, 1),
        ("spin", "timeout", 1, 1),
        ("eat-memory", "resource_exhausted", 1, 1),
    ],
)
def test_an_engine_that_fails_ends_one_job_and_harms_no_other(hooked, order, code, attempts, charged):
    key = hooked.new_account("unlucky")
    other = hooked.new_account("lucky")
    doomed = resize(hooked, key, cursed(order))
    fine = [resize(hooked, other, png(40 + n, 40)) for n in range(10)]
    job = wait_for_job(hooked, key, doomed)
    assert (job["status"], job["error_code"]) == ("failed", code), job
    assert job["error_message"]
    assert job["artifacts"] == [] and job["attempt_count"] == attempts
    assert [wait_for_job(hooked, other, j)["status"] for j in fine] == ["succeeded"] * 10
    used = hooked.get("/v1/account", key=key).json()["usage"]["processing_credits"]["used"]
    assert used == charged
    assert hooked.get("/readyz").status == 200
    losses = wait_until(lambda: at_least(attempts, losses_in(hooked)), "each lost engine's line")
    account = hooked.get("/v1/account", key=key).json()["account"]["id"]
    assert [(loss["job"], loss["account"], loss["error"]) for loss in losses] == [(doomed, account, code)] * attempts
