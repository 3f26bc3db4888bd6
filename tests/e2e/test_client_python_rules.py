"""The Python client's rules, with a server that answers as told and a clock that does not run: what is sent again, when, and how
long is paused; what holds where a service has no routes for it; webhooks; lists; events."""

import email.utils
import hashlib
import json

import pytest
import python_client  # noqa: F401
from scripted_server import scripted_server
from service import ROOT
from tessera_client import (
    ApiError,
    ConnectionFailed,
    DamagedDownload,
    Event,
    RetryPolicy,
    Tessera,
    TimedOut,
    WebhookInvalid,
    sign_webhook,
    verify_webhook,
)
from tessera_client._clock import Clock, Patience
from tessera_client._retry import backoff, retry_after_seconds, with_retries

VECTORS = json.loads((ROOT / "tests" / "data" / "webhook_vectors.json").read_text())
NOON = 1_772_366_400.0  # 2026-03-01 12:00:00 UTC


class FakeClock(Clock):
    """Pauses take no time and are written down."""

    def __init__(self):
        self.time, self.pauses = 1000.0, []

    def now(self):
        return self.time

    def wall(self):
        return NOON

    def pause(self, seconds, cancel):
        self.pauses.append(seconds)
        self.time += seconds


def job(status, **more):
    return {"id": "7d0a6f0c-4a1e-4d9b-8b39-52b5d8f7c302", "operation": "resize", "status": status, "result": {}, "artifacts": [], **more}


def refusal(status, code, **headers):
    body = {"error": "no", "code": code, "request_id": "r-1", "hint": "do otherwise"}
    return status, {name.replace("_", "-"): value for name, value in headers.items()}, body


@pytest.fixture
def clock():
    return FakeClock()


def client(script, clock, **more):
    return Tessera(script.url, "secret-key", clock=clock, **more)


# --- retries ---
def test_429_waits_as_long_as_it_is_told_in_seconds_or_as_a_date(clock):
    date = email.utils.formatdate(NOON + 40, usegmt=True)
    answers = [refusal(429, "rate_limited", Retry_After="7"), refusal(429, "rate_limited", Retry_After=date), (200, {}, {"plans": []})]
    with scripted_server(*answers) as script:
        assert client(script, clock).plans() == []
    first, second = clock.pauses
    assert 7 <= first <= 7.5 and 40 <= second <= 40.5


def test_being_told_to_wait_is_no_fault_but_is_bounded(clock):
    with scripted_server(refusal(429, "rate_limited", Retry_After="60")) as script:
        with pytest.raises(ApiError) as caught:
            client(script, clock).plans()
    assert caught.value.retry_after == 60 and len(clock.pauses) == 14  # of which 900 s have room


def test_429_without_retry_after_is_final_except_where_a_job_has_to_end(clock):
    with scripted_server(refusal(429, "credits_exhausted")) as script:
        with pytest.raises(ApiError, match="credits_exhausted"):
            client(script, clock).submit("resize", {"width": 1})
        assert len(script.requests) == 1
    with scripted_server(*[refusal(429, "in_flight_limit_exceeded")] * 8, (201, {}, job("queued"))) as script:
        assert client(script, clock).submit("resize", {"width": 1})["status"] == "queued"
    assert len(clock.pauses) == 8


def test_a_pause_that_would_outlast_the_call_is_not_begun(clock):
    with scripted_server(refusal(429, "rate_limited", Retry_After="50")) as script:
        with pytest.raises(ApiError):
            client(script, clock).plans(timeout=20)
    assert clock.pauses == []


def test_faults_are_tried_again_with_pauses_that_double_up_to_a_bound(clock):
    with scripted_server(refusal(503, "overloaded")) as script:
        with pytest.raises(ApiError, match="overloaded"):
            client(script, clock).plans()
        assert len(script.requests) == 6
    for count, pause in enumerate(clock.pauses):
        assert max(0.5, 0.25 * 2**count) <= pause <= 0.5 * 2**count
    policy = RetryPolicy()
    assert [backoff(policy, n, lambda: 0.0) for n in range(8)] == [0.5, 1, 2, 4, 8, 16, 30, 30]
    assert [backoff(policy, n, lambda: 1.0) for n in range(4)] == [0.5, 0.5, 1, 2]


def test_a_job_keeps_its_key_over_retries_and_brings_one_always(clock):
    with scripted_server(refusal(500, "internal_error"), None, refusal(503, "storage_unavailable"), (201, {}, job("queued"))) as script:
        client(script, clock).submit("resize", {"width": 1})
        keys = {headers["idempotency-key"] for _, _, headers, _ in script.requests}
        assert len(script.requests) == 4 and len(keys) == 1
        client(script, clock).submit("resize", {"width": 1})
        assert script.requests[-1][2]["idempotency-key"] not in keys


def test_an_upload_is_sent_again_only_where_it_can_not_have_been_stored(clock):
    asset = (201, {}, {"id": "a"})
    with scripted_server(refusal(503, "scanning_unavailable"), refusal(429, "rate_limited", Retry_After="1"), asset) as script:
        assert client(script, clock).upload(b"picture")["id"] == "a"
        assert len({body.split(b"\r\n\r\n")[1] for _, _, _, body in script.requests}) == 1
    for uncertain in (None, refusal(502, "bad_gateway"), refusal(500, "internal_error")):
        with scripted_server(uncertain, asset) as script:
            with pytest.raises((ConnectionFailed, ApiError)):
                client(script, clock).upload(b"picture")
            assert len(script.requests) == 1


def test_what_was_never_sent_is_sent_again(clock):
    """By the rule itself: a connection that could not be made."""
    tries = []

    def send():
        tries.append(1)
        if len(tries) < 3:
            raise ConnectionFailed("refused", was_sent=False)
        return "done"

    patience = Patience(None, None, clock)
    assert with_retries(send, repeatable=False, policy=RetryPolicy(), patience=patience) == "done"


@pytest.mark.parametrize("value,seconds", [("0", 0), (" 12 ", 12), ("soon", None), ("-3", None), (None, None), ("1e3", None)])
def test_retry_after_is_read_with_care(value, seconds):
    assert retry_after_seconds(value, NOON) == seconds


def test_400s_are_never_sent_again(clock):
    for status in (400, 401, 403, 404, 409, 415):
        with scripted_server(refusal(status, "something")) as script:
            with pytest.raises(ApiError):
                client(script, clock).submit("resize", {})
            assert len(script.requests) == 1


# --- errors that are not the service's ---
def test_an_answer_that_is_not_json_is_a_typed_error(clock):
    page = (502, {"Content-Type": "text/html", "X-Request-ID": "p-9"}, "<h1>Bad\n gateway</h1>")
    with scripted_server(page) as script:
        with pytest.raises(ApiError) as caught:
            client(script, clock, retry_policy=RetryPolicy(faults=0)).account()
    error = caught.value
    assert (error.status, error.code, error.request_id) == (502, None, "p-9") and "<h1>Bad gateway</h1>" in error.message
    for broken in ("", "[1", "<html>"):
        with scripted_server((200, {}, broken)) as script:
            with pytest.raises(ApiError, match="no JSON"):
                client(script, clock).account()
    with scripted_server((418, {}, ["a", "list"])) as script:
        with pytest.raises(ApiError) as caught:
            client(script, clock).account()
        assert caught.value.status == 418


def test_the_key_is_in_no_text_and_in_no_download(clock):
    with scripted_server((200, {}, b"tile")) as script:
        made = client(script, clock)
        assert "secret-key" not in repr(made)
        made.tile_bytes(f"{script.url}/cdn/x", with_key=False, timeout=None, cancel=None)
        made.tile_bytes(f"{script.url}/v1/x", with_key=True, timeout=None, cancel=None)
        assert ["authorization" in headers for _, _, headers, _ in script.requests] == [False, True]


def test_an_address_needs_its_scheme():
    with pytest.raises(ValueError, match="http://"):
        Tessera("images.example.org", "key")


# --- waiting ---
def test_where_the_service_does_not_hold_requests_it_is_polled_with_growing_pauses(clock):
    with scripted_server(*[(200, {}, job("queued"))] * 9, (200, {}, job("succeeded"))) as script:
        assert client(script, clock).wait("x")["status"] == "succeeded"
        assert script.requests[1][2]["prefer"] == "wait=30"
    assert clock.pauses[0] == 0.2 and clock.pauses == sorted(clock.pauses) and clock.pauses[-1] == 3.0


def test_where_it_does_there_is_no_pause(clock):
    held = (200, {"Preference-Applied": "wait=30"}, job("running"))
    with scripted_server((200, {}, job("queued")), held, held, (200, {}, job("failed"))) as script:
        assert client(script, clock).wait("x")["status"] == "failed"
    assert clock.pauses == []


def test_a_wait_never_asks_to_be_held_longer_than_the_call_may_take(clock):
    with scripted_server((200, {}, job("queued"))) as script:
        with pytest.raises(TimedOut) as caught:
            client(script, clock).wait("x", timeout=9.5)
        assert caught.value.job_id == job("queued")["id"]
        assert [headers.get("prefer") for _, _, headers, _ in script.requests][:2] == [None, "wait=9"]


# --- downloads ---
CONTENT = bytes(range(256)) * 40
DIGEST = hashlib.sha256(CONTENT).hexdigest()
ARTIFACT = {
    "id": "c5e5b3d7", "kind": "primary", "content_type": "image/png", "byte_size": len(CONTENT), "checksum_sha256": DIGEST, "metadata": {},
}  # fmt: skip


def artifact_answer(request):
    return 200, {}, {**ARTIFACT, "download_url": f"http://{request[2]['host']}/download?sig=1"}


def test_a_download_that_is_cut_off_goes_on_where_it_was(clock, folder):
    cut = (200, {"Content-Length": str(len(CONTENT))}, CONTENT[:5000])

    def rest(request):
        assert request[2]["range"] == "bytes=5000-"
        return 206, {}, CONTENT[5000:]

    with scripted_server(artifact_answer, cut, artifact_answer, rest) as script:
        path = client(script, clock).file(ARTIFACT).save(folder / "whole.png")
    assert path.read_bytes() == CONTENT


def test_an_expired_address_is_asked_for_again_once(clock):
    old = refusal(403, "invalid_signature")
    with scripted_server(artifact_answer, old, artifact_answer, (200, {}, CONTENT)) as script:
        assert client(script, clock).file(ARTIFACT).read() == CONTENT
    with scripted_server(artifact_answer, old, artifact_answer, old) as script:
        with pytest.raises(ApiError, match="invalid_signature"):
            client(script, clock).file(ARTIFACT).read()


def test_bytes_that_are_not_those_that_were_made_are_refused(clock, folder):
    with scripted_server(artifact_answer, (200, {}, CONTENT[:-1] + b"!")) as script:
        with pytest.raises(DamagedDownload):
            client(script, clock).file(ARTIFACT).save(folder / "x")
    assert list(folder.iterdir()) == []


# --- lists and events: routes that not every service has ---
def test_lists_iterate_by_item_over_empty_pages_too(clock):
    pages = [([job("queued")], "a b"), ([], "c"), ([job("failed")], None)]
    with scripted_server(*[(200, {}, {"jobs": jobs, "next_cursor": cursor}) for jobs, cursor in pages]) as script:
        assert [one["status"] for one in client(script, clock).jobs(status="failed")] == ["queued", "failed"]
        assert [path for _, path, _, _ in script.requests] == [
            "/v1/jobs?limit=100&status=failed",
            "/v1/jobs?limit=100&status=failed&cursor=a+b",
            "/v1/jobs?limit=100&status=failed&cursor=c",
        ]


def test_a_list_fetches_no_page_that_nobody_asked_for(clock):
    with scripted_server((200, {}, {"assets": [{"id": "1"}, {"id": "2"}], "next_cursor": "more"})) as script:
        assert next(client(script, clock).assets())["id"] == "1"
        assert len(script.requests) == 1


def test_removals_and_cancelling(clock):
    with scripted_server((204, {}, b"")) as script:
        made = client(script, clock)
        made.delete_asset("a/b")
        made.delete_artifact("x")
        made.delete_tileset("y")
        assert [(method, path) for method, path, _, _ in script.requests] == [
            ("DELETE", "/v1/assets/a%2Fb"), ("DELETE", "/v1/artifacts/x"), ("DELETE", "/v1/tilesets/y"),
        ]  # fmt: skip
    with scripted_server((200, {}, job("failed"))) as script:
        assert client(script, clock).cancel_job("j")["status"] == "failed"
        assert script.requests[0][:2] == ("POST", "/v1/jobs/j/cancel")


def test_events_go_on_after_the_last_one_that_was_seen(clock):
    stream = {"Content-Type": "text/event-stream"}
    begin = ': hello\n\nid: 41\nevent: queued\ndata: {"id":\ndata: "x"}\n\nid: 42\nevent: gap\ndata: {}\n\nid: 43\nevent: torn'
    first = (200, stream, begin)
    second = (200, stream, 'id: 44\nevent: succeeded\ndata: {"id": "x"}\n\n')
    with scripted_server((200, stream, "retry: 2000\nid: 40\n\n"), first, None, second) as script:
        events = client(script, clock).events(last_event_id="39")
        assert [next(events) for _ in range(3)] == [
            Event("queued", {"id": "x"}, "41"), Event("gap", {}, "42"), Event("succeeded", {"id": "x"}, "44"),
        ]  # fmt: skip
        assert [headers["last-event-id"] for _, _, headers, _ in script.requests] == ["39", "40", "42", "42"]


# --- webhooks ---
@pytest.mark.parametrize("case", VECTORS["sign"], ids=lambda case: case["name"])
def test_webhooks_are_signed_as_the_vectors_say(case):
    signed = [sign_webhook(case["body"].encode(), secret, case["id"], case["timestamp"]) for secret in case["secrets"]]
    assert " ".join(headers["webhook-signature"] for headers in signed) == case["signature"]


@pytest.mark.parametrize("case", VECTORS["verify"], ids=lambda case: case["name"])
def test_webhooks_are_taken_and_refused_as_the_vectors_say(case):
    if case["valid"]:
        assert verify_webhook(case["body"].encode(), case["headers"], case["secret"], now=case["now"]) == json.loads(case["body"])
    else:
        with pytest.raises(WebhookInvalid):
            verify_webhook(case["body"].encode(), case["headers"], case["secret"], now=case["now"])


VECTOR, OTHER = ({**case, "secret": case["secrets"][0]} for case in VECTORS["sign"][:2])


def headers_of(vector):
    return {"Webhook-Id": vector["id"], "webhook-timestamp": str(vector["timestamp"]), "WEBHOOK-SIGNATURE": vector["signature"]}


@pytest.mark.parametrize("away,fine", [(300, True), (-300, True), (301, False), (-301, False)])
def test_webhooks_that_are_too_old_or_from_the_future_are_refused(away, fine):
    vector = VECTOR
    if fine:
        verify_webhook(vector["body"].encode(), headers_of(vector), vector["secret"], now=vector["timestamp"] + away)
    else:
        with pytest.raises(WebhookInvalid, match="timestamp"):
            verify_webhook(vector["body"].encode(), headers_of(vector), vector["secret"], now=vector["timestamp"] + away)


@pytest.mark.parametrize(
    "change",
    [
        lambda headers: headers.pop("Webhook-Id"),
        lambda headers: headers.pop("webhook-timestamp"),
        lambda headers: headers.pop("WEBHOOK-SIGNATURE"),
        lambda headers: headers.update({"webhook-timestamp": "soon"}),
        lambda headers: headers.update({"webhook-timestamp": "9" * 40}),
        lambda headers: headers.update({"webhook-timestamp": "²"}),
        lambda headers: headers.update({"WEBHOOK-SIGNATURE": ""}),
        lambda headers: headers.update({"WEBHOOK-SIGNATURE": "v1"}),
        lambda headers: headers.update({"WEBHOOK-SIGNATURE": "v1,é"}),
        lambda headers: headers.update({"WEBHOOK-SIGNATURE": headers["WEBHOOK-SIGNATURE"].replace("v1,", "v2,")}),
        lambda headers: headers.update({"Webhook-Id": "msg_other"}),
    ],
)
def test_malformed_and_forged_webhooks_are_refused_with_one_class(change):
    vector = VECTOR
    headers = headers_of(vector)
    change(headers)
    with pytest.raises(WebhookInvalid):
        verify_webhook(vector["body"].encode(), headers, vector["secret"], now=vector["timestamp"])


def test_rotation_unknown_versions_and_bodies_that_were_touched():
    vector, other = VECTOR, OTHER
    body, now = vector["body"].encode(), vector["timestamp"]
    headers = headers_of(vector)
    headers["WEBHOOK-SIGNATURE"] = f"v1a,zzzz {other['signature']} {vector['signature']}"
    assert verify_webhook(body, headers, [other["secret"], vector["secret"] + "\n"], now=now)
    with pytest.raises(WebhookInvalid, match="another one"):
        verify_webhook(body, headers_of(vector), other["secret"], now=now)
    with pytest.raises(WebhookInvalid):
        verify_webhook(json.dumps(json.loads(body)).encode() + b" ", headers_of(vector), vector["secret"], now=now)
    with pytest.raises(TypeError, match="before anything parsed"):
        verify_webhook(vector["body"], headers_of(vector), vector["secret"], now=now)
    with pytest.raises(ValueError, match="whsec_"):
        verify_webhook(body, headers_of(vector), "not base64!", now=now)
    signed = sign_webhook(b"no json", vector["secret"], "m", now)
    with pytest.raises(WebhookInvalid, match="no JSON"):
        verify_webhook(b"no json", signed, vector["secret"], now=now)
