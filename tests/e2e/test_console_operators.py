"""The operators' part of the console in a real browser against the real binary; the scenes are in tests/tools/console."""

import itertools
import math
import os
import threading

import pytest
from operators import PASSWORD, make_operator
from pictures import png, truncated_png
from receiver import FAST, Receiver, add_endpoint, answer, deliveries, run_job, wait_for_state
from service import Service, temporary_folder, upload
from test_console import SCREENSHOTS, play

OPERATOR = {"name": "anna", "password": PASSWORD}
# Both scenes together sign in fewer times than this; the last act of one goes over it.
SIGN_INS = 10
# What the scene does to the account that it makes, newest first.
TRAIL = [
    "account.erase",
    "key.revoke",
    "entitlement.set",
    "account.resume",
    "account.suspend",
    "account.resume",
    "account.suspend",
    "key.create",
    "account.create",
]
UNLIMITED = ("account", "uploads", "job_submissions", "job_reads", "asset_reads", "job_lists", "operator_names")


@pytest.fixture(scope="module")
def receiver():
    one = Receiver().start()
    yield one
    one.stop()


@pytest.fixture(scope="module")
def service():
    with temporary_folder() as path:
        # A window so long that a machine with other work gets to the end of its tries within it.
        settings = {**FAST, "rate_limits.enabled": "true", "rate_limits.window": "10m", "rate_limits.operator_sign_ins": str(SIGN_INS)}
        settings |= {f"rate_limits.{name}": "0" for name in UNLIMITED}
        shared = Service(path / "data", settings=settings).start()
        if shared.get("/", headers={"Accept": "text/html"}).status != 200:
            shared.stop()
            pytest.skip("this binary was built without the console: scripts/test install build")
        make_operator(shared)
        yield shared
        shared.stop()
        assert shared.complaints() == []


@pytest.fixture(scope="module")
def shop(service, receiver):
    """An account with a job, and a delivery of it that its receiver refused to the end."""
    receiver.behave["/hook"] = answer(500, body=b"the shop is closed")
    key = service.new_account("shop", plan="pro", cdn=True)
    add_endpoint(service, "shop", receiver.url("/hook"), "--description", "the shop")
    run_job(service, key)
    wait_for_state(service, "failed")
    [delivery] = deliveries(service)
    [account] = [one for one in service.admin("account", "list") if one["slug"] == "shop"]
    return {"account": account["id"], "delivery": delivery["id"], "url": receiver.url("/hook")}


def test_every_page_of_operators_is_for_everybody(service, shop):
    told = play("operators_looks", service, operator=OPERATOR, accountId=shop["account"], deliveryId=shop["delivery"])
    assert told["found"] == []
    assert told["looked"] == (52 if SCREENSHOTS else 26)


def test_an_account_from_its_making_to_its_end(service, shop, receiver):
    def mend():
        receiver.behave["/hook"] = answer(204)
        return "done"

    def delivered():
        wait_for_state(service, "delivered")
        return "done"

    acts = {"mend": mend, "delivered": delivered}
    told = play("operators", service, acts=acts, operator=OPERATOR, accountId=shop["account"], endpoint=shop["url"])
    assert "Give your name and your password" in told["empty"]
    assert "request" in told["refused"]
    assert told["kept"] == "#/operators/audit"
    assert told["seen"] == {"cookies": "", "local": 0}
    assert told["slug"] == "studio-nord"
    assert "nowhere/8" in told["badRange"]
    assert told["key"].startswith("tsr_") and told["stays"] is True and told["afterwards"] is False
    assert "You were signed out" in told["suspended"]
    assert told["eraseBefore"] is False
    assert told["trail"] == {"acts": TRAIL, "actors": ["operator anna"], "accounts": ["erased"]}
    assert told["shopTrail"]["accounts"] == ["shop"] and "account.create" in told["shopTrail"]["acts"]
    assert {"erased", "shop"} < set(told["wholeTrail"]["accounts"])
    assert '"type": "job.succeeded"' in told["body"]
    assert told["wait"].startswith("Try again in")
    assert service.get("/v1/account", key=told["key"]).status == 401
    assert told["key"] not in service.log()


def keep_busy(service, keys, stop):
    """Jobs of every kind, some of which fail, faster than they can be done; and people who look at them."""
    asset = {key: upload(service, key, png(1200, 800)).json()["id"] for key in keys}
    damaged = {key: upload(service, key, truncated_png()).json()["id"] for key in keys}
    for turn in itertools.count():
        key = keys[turn % len(keys)]
        jobs = [
            {"operation": "resize", "asset_id": asset[key], "options": {"width": 300 + turn % 500, "format": "webp"}},
            {"operation": "grid_render", "options": {"width": 4096, "height": 4096, "block_width": 16 + turn % 100}},
            {"operation": "tile", "asset_id": asset[key], "options": {}},
            {"operation": "optimize", "asset_id": asset[key], "options": {"quality": 60 + turn % 30}},
        ]
        if turn % 7 == 0:
            jobs.append({"operation": "resize", "asset_id": damaged[key], "options": {"width": 50}})
        for body in jobs:
            service.post("/v1/jobs", body=body, key=key)
            service.get("/v1/jobs?limit=5", key=key)
        if stop.wait(0.4 + 0.3 * math.sin(turn / 5)):
            return


@pytest.mark.skipif("TESSERA_CONSOLE_PICTURES" not in os.environ, reason="only when pictures of the docs are to be made anew")
def test_picture_of_the_overview(service):
    """TESSERA_CONSOLE_PICTURES=docs/images makes the one that docs/console.md shows."""
    keys = [service.new_account(name, plan="unlimited", cdn=True) for name in ("north", "harbour", "atlas")]
    stop = threading.Event()
    work = threading.Thread(target=keep_busy, args=(service, keys, stop))
    work.start()
    try:
        play("operators_pictures", service, operator=OPERATOR, folder=os.path.abspath(os.environ["TESSERA_CONSOLE_PICTURES"]), seconds=60)
    finally:
        stop.set()
        work.join()
