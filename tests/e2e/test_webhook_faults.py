"""Webhooks when something goes wrong: receivers that are away, slow or rude, and servers that die."""

import time

from pictures import png
from receiver import (
    FAST,
    add_endpoint,
    answer,
    deliveries,
    metric,
    receiver,  # noqa: F401
    run_job,
    signature,
    submit_resize,
    wait_for_state,
)
from service import upload, wait_until


def test_a_receiver_that_is_away_gets_everything_when_it_is_back(make_service, receiver):
    service = make_service(settings={**FAST, "webhooks.retry_pauses": "50ms,50ms,50ms,1d,1d,1d"})
    key = service.new_account("shop")
    add_endpoint(service, "shop", receiver.url())
    receiver.stop()
    jobs = {run_job(service, key)["id"] for _ in range(5)}
    wait_until(lambda: service.admin("webhook", "list")[0]["failing_since"], "the endpoint to be failing", pause=0.1)
    wait_until(lambda: metric(service, "tessera_webhook_attempts_total", outcome="connection_failed") >= 4, "attempts")
    receiver.start()
    run_job(service, key)  # what is new shows that it is back, and brings what waits for a day
    messages = receiver.wait_for(6)
    assert {message.json()["data"]["id"] for message in messages} > jobs
    assert len({message.id for message in messages}) == 6
    wait_for_state(service, "delivered", 6)
    assert service.admin("webhook", "list")[0]["failing_since"] is None


def test_a_server_killed_before_it_noted_the_answer_delivers_again(make_service, receiver):
    service = make_service(settings=FAST)
    key = service.new_account("shop")
    add_endpoint(service, "shop", receiver.url())
    receiver.behave["/"] = receiver.hang
    run_job(service, key)
    first = receiver.wait_for(1)[0]
    service.kill()
    receiver.behave["/"] = answer(204)
    begun = time.monotonic()
    service.start()
    again = receiver.wait_for(2)[1]
    assert (again.id, again.body) == (first.id, first.body)
    assert again.at - begun < 25  # it did not wait for the dead one's lease
    wait_for_state(service, "delivered")


def test_a_server_killed_before_it_sent_anything_delivers_after_a_restart(make_service, receiver):
    quiet = make_service(settings={**FAST, "webhooks.enabled": "false"})
    key = quiet.new_account("shop")
    add_endpoint(quiet, "shop", receiver.url())
    job = run_job(quiet, key)
    quiet.kill()
    assert receiver.messages == []
    quiet.settings["webhooks.enabled"] = "true"
    quiet.start()
    assert receiver.wait_for(1)[0].json()["data"]["id"] == job["id"]


def test_what_no_node_sends_is_overdue_until_one_does(make_service, receiver):
    service = make_service(settings={**FAST, "webhooks.enabled": "false"})
    key = service.new_account("shop")
    add_endpoint(service, "shop", receiver.url("/late"))
    assert metric(service, "tessera_webhook_overdue") == 0 == metric(service, "tessera_webhook_oldest_overdue_seconds")
    run_job(service, key)
    wait_until(lambda: metric(service, "tessera_webhook_oldest_overdue_seconds") > 0, "an overdue delivery")
    assert metric(service, "tessera_webhook_overdue") == 1
    service.stop()
    service.settings["webhooks.enabled"] = "true"
    service.start()
    receiver.wait_for(1, "/late")
    wait_until(lambda: metric(service, "tessera_webhook_overdue") == 0, "nothing that is overdue")
    assert metric(service, "tessera_webhook_oldest_overdue_seconds") == 0


def test_one_slow_endpoint_holds_nobody_else_up(make_service, receiver):
    service = make_service(settings=FAST)
    key = service.new_account("shop")
    other = service.new_account("other")
    add_endpoint(service, "shop", receiver.url("/slow"))
    add_endpoint(service, "shop", receiver.url("/quick"))
    add_endpoint(service, "other", receiver.url("/other"))
    receiver.behave["/slow"] = receiver.hang
    for _ in range(10):
        run_job(service, key)
    for _ in range(3):
        run_job(service, other)
    receiver.wait_for(10, "/quick")
    receiver.wait_for(3, "/other")
    assert len(receiver.of("/slow")) == 4  # no more are on their way to it at once
    assert metric(service, "tessera_webhook_attempts_total", outcome="timeout") == 0


def test_an_endpoint_that_fails_for_long_is_switched_off(make_service, receiver):
    service = make_service(settings={**FAST, "webhooks.disable_after": "1s", "webhooks.retry_pauses": ",".join(["200ms"] * 50)})
    key = service.new_account("shop")
    add_endpoint(service, "shop", receiver.url())
    receiver.behave["/"] = answer(503)
    run_job(service, key)
    wait_until(lambda: service.admin("webhook", "list")[0]["status"] == "disabled", "the endpoint to be off", pause=0.1)
    assert service.admin("webhook", "list")[0]["disabled_reason"] == "failing"
    assert deliveries(service)[0]["state"] == "failed"


def last_error_of(service, key, receiver, path):
    endpoint = add_endpoint(service, "shop", receiver.url(path))
    run_job(service, key)
    wait_until(lambda: deliveries(service, "--endpoint", endpoint["id"])[0]["attempts"] >= 1, f"an attempt at {path}", pause=0.1)
    return deliveries(service, "--endpoint", endpoint["id"])[0]


def test_bad_manners_of_receivers(make_service, receiver):
    service = make_service(settings={**FAST, "webhooks.timeout": "500ms", "webhooks.retry_pauses": "1h"})
    key = service.new_account("shop")

    def endless(handler, _message):
        handler.send_response(200)
        handler.end_headers()
        while True:
            handler.wfile.write(b"x" * 65536)

    def endless_head(handler, _message):
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        while True:
            handler.wfile.write(b"X-More: " + b"x" * 8192 + b"\r\n")

    def drip(handler, _message):
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        receiver.hang(handler, _message)

    receiver.behave.update(
        {
            "/redirect": answer(302, {"Location": receiver.url("/elsewhere")}),
            "/hangs": receiver.hang,
            "/endless": endless,
            "/endless-head": endless_head,
            "/drip": drip,
            "/nonsense": lambda handler, _message: handler.wfile.write(b"220 mail.example.org ESMTP\r\n"),
            "/patience": answer(429, {"Retry-After": "7200"}),
        }
    )
    assert last_error_of(service, key, receiver, "/redirect")["last_error"] == "redirect"
    assert last_error_of(service, key, receiver, "/hangs")["last_error"] == "timeout"
    assert last_error_of(service, key, receiver, "/endless")["state"] == "delivered"  # and 16 KiB of it were read
    assert last_error_of(service, key, receiver, "/endless-head")["last_error"] == "bad_response"
    assert last_error_of(service, key, receiver, "/drip")["state"] == "delivered"  # its head said so
    assert last_error_of(service, key, receiver, "/nonsense")["last_error"] == "bad_response"
    patience = last_error_of(service, key, receiver, "/patience")
    assert receiver.of("/elsewhere") == []
    waits = [event["retry_in_ms"] for event in service.log_events() if event.get("delivery") == patience["id"]]
    assert waits == [7_200_000]


def test_a_server_that_stops_waits_for_what_is_on_its_way(make_service, receiver):
    service = make_service(settings=FAST)
    key = service.new_account("shop")
    add_endpoint(service, "shop", receiver.url())
    receiver.behave["/"] = lambda handler, message: (receiver.let_go.wait(20), answer(204)(handler, message))
    run_job(service, key)
    receiver.wait_for(1)
    service.process.terminate()
    service.wait_for_event("stopping")
    receiver.let_go.set()
    assert service.process.wait(60) == 0
    assert deliveries(service)[0]["state"] == "delivered"


def cluster(url, folder, **more):
    return {**FAST, "metadata.url": url, "blobs.url": f"file:{folder}/blobs", **more}


def test_two_nodes_send_every_delivery_once(database, make_service, receiver, folder):
    one = make_service("one", settings=cluster(database.url, folder))
    two = make_service("two", settings=cluster(database.url, folder))
    key = one.new_account("shop")
    add_endpoint(one, "shop", receiver.url())
    asset = upload(one, key, png(40, 40)).json()["id"]
    jobs = {submit_resize(node, key, asset) for _ in range(15) for node in (one, two)}
    receiver.wait_for(len(jobs))
    wait_for_state(one, "delivered", len(jobs))
    assert {message.json()["data"]["id"] for message in receiver.messages} == jobs
    assert len(receiver.messages) == len(jobs)


def test_a_killed_nodes_deliveries_are_taken_over(database, make_service, receiver, folder):
    one = make_service("one", settings=cluster(database.url, folder, **{"webhooks.timeout": "2s"}))
    key = one.new_account("shop")
    add_endpoint(one, "shop", receiver.url())
    receiver.behave["/"] = receiver.hang
    run_job(one, key)
    first = receiver.wait_for(1)[0]
    one.kill()
    receiver.behave["/"] = answer(204)
    two = make_service("two", settings=cluster(database.url, folder, **{"webhooks.timeout": "2s"}))
    assert receiver.wait_for(2)[1].id == first.id
    wait_for_state(two, "delivered")


def test_a_move_to_a_cluster_takes_webhooks_along(database, make_service, receiver, folder):
    service = make_service(settings={**FAST, "webhooks.enabled": "false"})
    key = service.new_account("shop")
    endpoint = add_endpoint(service, "shop", receiver.url())
    job = run_job(service, key)
    service.stop()
    node = make_service("node", start=False, settings=cluster(database.url, folder))
    node.admin("migrate", "--from", service.data_dir, as_json=False)
    node.start()
    message = receiver.wait_for(1)[0]
    assert message.json()["data"]["id"] == job["id"]
    assert message.headers["webhook-signature"] == signature(endpoint["secret"], message)
