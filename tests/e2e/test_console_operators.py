"""The operators' part of the console in a real browser against the real binary; the scenes are in tests/tools/console."""

import pytest
from operators import PASSWORD, make_operator
from receiver import FAST, Receiver, add_endpoint, answer, deliveries, run_job, wait_for_state
from service import Service, temporary_folder
from test_console import play

OPERATOR = {"name": "anna", "password": PASSWORD}
# Both scenes together sign in fewer times than this; the last act of one goes over it.
SIGN_INS = 10
UNLIMITED = ("account", "uploads", "job_submissions", "job_reads", "asset_reads", "job_lists", "operator_names")


@pytest.fixture(scope="module")
def receiver():
    one = Receiver().start()
    yield one
    one.stop()


@pytest.fixture(scope="module")
def service():
    with temporary_folder() as path:
        settings = {**FAST, "rate_limits.enabled": "true", "rate_limits.operator_sign_ins": str(SIGN_INS)}
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
    assert told["looked"] in (26, 52)


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
    assert "operator anna" in told["actors"]
    for act in ("account.create", "suspend", "resume", "key.create", "key.revoke", "erase", "entitlement"):
        assert any(act in name for name in told["trail"]), (act, told["trail"])
    assert '"type": "job.succeeded"' in told["body"]
    assert told["wait"].startswith("Try again in")
    assert service.get("/v1/account", key=told["key"]).status == 401
    assert told["key"] not in service.log()
