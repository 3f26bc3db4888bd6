"""Webhooks, from the end of a job to a receiver: what is sent, to whom, and what administrators see of it."""

import json
import os
import shutil
import subprocess
import time

import pytest
from pictures import truncated_png
from ports import free_port
from receiver import (
    FAST,
    TOOLS,
    VerifyingReceiver,
    add_endpoint,
    answer,
    deliveries,
    metric,
    receiver,  # noqa: F401
    run_job,
    signature,
    standard_webhooks,
    wait_for_state,
)
from service import ROOT, wait_until


def test_a_job_that_ends_is_told_as_the_interface_shows_it(make_service, receiver):
    service = make_service(settings=FAST)
    key = service.new_account("shop")
    endpoint = add_endpoint(service, "shop", receiver.url("/hook?token=hidden"), "--description", "the shop")
    job = run_job(service, key)
    message = receiver.wait_for(1, "/hook")[0]
    assert message.path == "/hook?token=hidden"
    assert message.headers["content-type"] == "application/json"
    assert message.headers["user-agent"].startswith("Tessera/")
    assert abs(int(message.headers["webhook-timestamp"]) - time.time()) < 60
    assert message.headers["webhook-signature"] == signature(endpoint["secret"], message)
    body = message.json()
    assert list(body) == ["type", "timestamp", "data"]
    assert (body["type"], body["timestamp"]) == ("job.succeeded", job["completed_at"])
    assert body["data"] == job
    assert run_job(service, key, truncated_png())["status"] == "failed"
    failed = receiver.wait_for(2, "/hook")[1].json()
    assert (failed["type"], failed["data"]["error_code"]) == ("job.failed", "decode_failed")
    wait_for_state(service, "delivered", 2)
    line = service.wait_for_event("webhook.attempt", delivery=message.id)
    assert (line["job"], line["status"], line["state"]) == (job["id"], 204, "delivered")
    assert line["endpoint"] == endpoint["id"]
    for secret in (endpoint["secret"], "token=hidden"):
        assert secret not in service.log()
    assert metric(service, "tessera_webhook_deliveries_total", end="delivered") == 2
    assert metric(service, "tessera_webhook_attempts_total", outcome="delivered") == 2


def test_an_independent_implementation_verifies_also_while_secrets_rotate(make_service):
    verifier = VerifyingReceiver()
    service = make_service(settings=FAST)
    key = service.new_account("shop")
    old = add_endpoint(service, "shop", verifier.url())
    new = service.admin("webhook", "rotate-secret", old["id"])
    try:
        verifier.start(old["secret"], new["secret"])
        run_job(service, key)
        told = verifier.next()
        assert (told["type"], told["by"]) == ("job.succeeded", [True, True])
        wait_for_state(service, "delivered")
        assert deliveries(service)[0]["id"] == told["id"]
        service.admin("webhook", "rotate-secret", old["id"], "--set", "webhooks.secret_overlap=0s")
        service.admin("webhook", "test", old["id"], check=False)
        assert verifier.next()["by"] == [False, False]  # both are no secrets any more
    finally:
        verifier.stop()


def test_an_endpoint_asks_for_some_events_only(make_service, receiver):
    service = make_service(settings=FAST)
    key = service.new_account("shop")
    other = service.new_account("other")
    add_endpoint(service, "shop", receiver.url("/failures"), "--events", "job.failed")
    add_endpoint(service, "shop", receiver.url("/all"))
    add_endpoint(service, "other", receiver.url("/other"))
    run_job(service, key)
    run_job(service, key, truncated_png())
    run_job(service, other)
    receiver.wait_for(2, "/all")
    assert receiver.wait_for(1, "/failures")[0].json()["type"] == "job.failed"
    receiver.wait_for(1, "/other")
    wait_for_state(service, "delivered", 4)
    assert len(receiver.messages) == 4


def test_a_message_is_the_same_over_all_attempts_until_they_run_out_and_after_a_replay(make_service, receiver):
    service = make_service(settings=FAST)
    key = service.new_account("shop")
    endpoint = add_endpoint(service, "shop", receiver.url())
    receiver.behave["/"] = answer(500, body=b"out of order")
    run_job(service, key)
    wait_for_state(service, "failed")
    messages = receiver.of("/")
    assert len(messages) == 10
    assert len({(message.id, message.body) for message in messages}) == 1
    for message in messages:
        assert message.headers["webhook-signature"] == signature(endpoint["secret"], message)
    (given_up,) = deliveries(service, "--failed")
    assert (given_up["attempts"], given_up["last_status"], given_up["last_error"]) == (10, 500, "http_status")
    shown = service.admin("webhook", "show", given_up["id"])
    assert [one["attempt"] for one in shown["log"]] == list(range(1, 11))
    assert shown["log"][0]["response"] == "out of order"
    assert shown["body"].encode() == messages[0].body

    receiver.behave["/"] = answer(200, body=b"ok")
    service.admin("webhook", "replay", given_up["id"])
    wait_for_state(service, "delivered")
    assert receiver.of("/")[10].id == given_up["id"]
    assert receiver.of("/")[10].body == messages[0].body
    assert deliveries(service)[0]["attempts"] == 11


def test_gone_switches_an_endpoint_off(make_service, receiver):
    service = make_service(settings=FAST)
    key = service.new_account("shop")
    endpoint = add_endpoint(service, "shop", receiver.url())
    receiver.behave["/"] = answer(410)
    run_job(service, key)
    wait_for_state(service, "failed")
    (shown,) = service.admin("webhook", "list")
    assert (shown["status"], shown["disabled_reason"]) == ("disabled", "gone")
    assert "it answered 410" in service.admin("webhook", "list", as_json=False)
    service.wait_for_event("webhook.endpoint_disabled", endpoint=endpoint["id"], reason="gone")
    assert metric(service, "tessera_webhook_endpoints_disabled_total", reason="gone") == 1
    run_job(service, key)
    assert len(deliveries(service)) == 1
    assert service.admin("webhook", "replay", deliveries(service)[0]["id"], check=False).returncode == 4
    receiver.behave["/"] = answer(204)
    service.admin("webhook", "enable", endpoint["id"])
    service.admin("webhook", "replay", deliveries(service)[0]["id"])
    wait_for_state(service, "delivered")
    assert [entry["action"] for entry in service.admin("audit") if entry["action"].startswith("webhook")] == [
        "webhook.add",
        "webhook.disable",
        "webhook.enable",
        "webhook.replay",
    ]


def test_private_addresses_are_refused_unless_they_are_allowed(make_service, receiver):
    service = make_service(settings={key: value for key, value in FAST.items() if "private" not in key})
    key = service.new_account("shop")
    refused = service.admin("webhook", "add", "shop", receiver.url(), check=False)
    assert refused.returncode == 2
    assert "webhooks.allow_private_addresses" in refused.stderr
    # One that was made while that was allowed, and one whose name leads here.
    add_endpoint(service, "shop", receiver.url())
    add_endpoint(service, "shop", f"http://localhost:{receiver.port}/")
    run_job(service, key)
    wait_until(lambda: all(one["attempts"] for one in deliveries(service)), "attempts", pause=0.1)
    assert {one["last_error"] for one in deliveries(service)} == {"address_refused"}
    assert receiver.messages == []


def test_a_test_message_tells_what_came_of_it(make_service, receiver):
    service = make_service(settings=FAST)
    service.new_account("shop")
    endpoint = add_endpoint(service, "shop", receiver.url("/test"))
    shown = service.admin("webhook", "test", endpoint["id"])
    assert (shown["type"], shown["state"], shown["job_id"]) == ("webhook.test", "delivered", None)
    message = receiver.of("/test")[0]
    assert message.json()["data"] == {"endpoint_id": endpoint["id"]}
    receiver.behave["/test"] = answer(403, body=b"who are you?")
    done = service.admin("webhook", "test", endpoint["id"], check=False, as_json=False)
    assert (done.returncode, "403" in done.stdout, "who are you?" in done.stdout) == (1, True, True)


def test_endpoints_are_for_admins_who_get_told_of_mistakes(make_service):
    service = make_service(settings=FAST)
    service.new_account("shop")
    for words, code, said in (
        (("add", "nobody", "https://example.org/"), 3, "there is no account"),
        (("add", "shop", "example.org"), 2, "https://example.org/hook"),
        (("add", "shop", "https://user:word@example.org/"), 2, "no password"),
        (("add", "shop", "https://example.org/", "--events", "job.started"), 2, "job.succeeded, job.failed"),
        (("show", "what"), 2, "webhook list"),
        (("show", "01a1dd2e-c26e-7506-ab6a-956cc5fd96e7"), 3, "there is no"),
        (("enable", "01a1dd2e-c26e-7506-ab6a-956cc5fd96e7"), 3, "there is no"),
        (("replay", "01a1dd2e-c26e-7506-ab6a-956cc5fd96e7"), 3, "there is no"),
    ):
        done = service.admin("webhook", *words, check=False)
        assert (done.returncode, said in done.stderr) == (code, True), (words, done)
    assert "there are no endpoints" in service.admin("webhook", "list", as_json=False)
    made = service.admin("webhook", "add", "shop", "https://example.org/hook?token=hidden")
    assert made["secret"].startswith("whsec_")
    assert "secret" not in service.admin("webhook", "show", made["id"])
    assert "hidden" not in service.admin("webhook", "list", as_json=False)


def test_erasing_an_account_erases_its_webhooks(make_service, receiver):
    service = make_service(settings=FAST)
    key = service.new_account("shop")
    add_endpoint(service, "shop", receiver.url())
    run_job(service, key)
    wait_for_state(service, "delivered")
    service.admin("account", "erase", "--account", "shop", "--confirm", "shop")
    assert (service.admin("webhook", "list"), deliveries(service)) == ([], [])


def test_the_vectors_are_those_of_the_specifications_own_library():
    line = [standard_webhooks(), str(TOOLS / "check-webhook-vectors.mjs"), str(ROOT / "tests/data/webhook_vectors.json")]
    told = json.loads(subprocess.run(line, capture_output=True, text=True, check=True).stdout)
    assert told["differing"] == []
    assert told["sign"] >= 5 and told["verify"] >= 15


def run_example(name, secret, port, folder):
    """Copied to where its imports are found, as after `npm install`."""
    shutil.copy(ROOT / "examples" / "webhooks" / name, folder)
    (folder / "node_modules").symlink_to(TOOLS / "node_modules")
    line = [shutil.which("node"), name, str(port)] if name.endswith(".mjs") else ["/usr/bin/python3", name, f"127.0.0.1:{port}"]
    return subprocess.Popen(line, cwd=folder, stdout=subprocess.PIPE, text=True, env={**os.environ, "SECRET": secret})


@pytest.mark.parametrize("name", ["receive.py", "receive.mjs"])
def test_the_receivers_in_examples_take_what_is_genuine_and_nothing_else(name, make_service, folder):
    standard_webhooks()
    service = make_service(settings=FAST)
    key = service.new_account("shop")
    port = free_port()
    endpoint = add_endpoint(service, "shop", f"http://127.0.0.1:{port}/")
    process = run_example(name, endpoint["secret"], port, folder)
    try:
        job = run_job(service, key)  # sent again until it listens
        assert process.stdout.readline() == f"job.succeeded {job['id']}\n"
        service.admin("webhook", "rotate-secret", endpoint["id"], "--set", "webhooks.secret_overlap=0s")
        done = service.admin("webhook", "test", endpoint["id"], check=False, as_json=False)
        assert (done.returncode, "400" in done.stdout) == (1, True), done
    finally:
        process.kill()
        process.wait()
