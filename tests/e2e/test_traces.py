"""Traces: from a caller's traceparent through request, queue, engine and store to the webhook, in the log and at a receiver
that reads spans with OpenTelemetry's own packages; and Server-Timing."""

import re
import time

import pytest
from pictures import png, truncated_png
from receiver import add_endpoint, metric, receiver, submit_resize  # noqa: F401
from service import Service, multipart, temporary_folder, upload, wait_for_job, wait_until
from trace_receiver import (
    CALLER,
    CALLING_SPAN,
    CLIENT,
    CONSUMER,
    INTERNAL,
    SERVER,
    TRACE,
    sending_to,
    traces,  # noqa: F401
)

WHOLE = ["POST /v1/jobs", "queue wait", "process resize", "engine", "store results", "POST webhook"]
RESIZE = {"operation": "resize", "options": {"width": 16}}


def submit(service, key, asset, **headers):
    made = service.post("/v1/jobs", body={**RESIZE, "asset_id": asset}, key=key, headers=headers)
    assert made.status == 201, made
    return made


def new_trace(number):
    """A caller's, of which no other test knows."""
    trace = f"{number:032x}"
    return trace, f"00-{trace}-{CALLING_SPAN}-01"


@pytest.fixture(scope="module")
def tracing(traces):
    """A service that sends all its spans, and an account whose jobs are told to the same receiver."""
    settings = sending_to(traces.url(), **{"traces.headers": "x-token=hush", "traces.gzip": "true"})
    with temporary_folder() as path:
        service = Service(path / "data", settings={**settings, "traces.max_per_second": "100000"}).start()
        service.key = service.new_account("tester")
        add_endpoint(service, "tester", traces.url("/hook"))
        service.asset = upload(service, service.key, png(40, 40)).json()["id"]
        yield service
        service.stop()
        assert service.complaints() == [] and "hush" not in service.log()


def check_whole(spans, trace, job, caller=CALLING_SPAN):
    request, wait, attempt, engine, store, webhook = spans
    assert {span["trace"] for span in spans} == {trace}
    assert len({span["id"] for span in spans}) == len(spans)
    assert request["parent"] == caller
    assert {span["parent"] for span in (wait, attempt, webhook)} == {request["id"]}
    assert {span["parent"] for span in (engine, store)} == {attempt["id"]}
    kinds = [span["kind"] for span in spans]
    assert kinds == [SERVER, INTERNAL, CONSUMER, INTERNAL, INTERNAL, CLIENT]
    assert all(int(span["begun"]) <= int(span["ended"]) for span in spans), spans
    assert int(attempt["begun"]) <= int(engine["begun"]) <= int(engine["ended"]) <= int(store["ended"])
    assert int(store["ended"]) <= int(attempt["ended"])
    assert not any(span["failed"] for span in spans)
    for span in (request, wait, attempt, webhook):
        assert span["attributes"]["tessera.job.id"] == job


def test_a_job_is_one_trace_from_its_request_to_its_webhook(tracing, traces):
    answer = submit(tracing, tracing.key, tracing.asset, traceparent=CALLER, tracestate="vendor=42,x=y")
    job, request_id = answer.json()["id"], answer.headers["X-Request-ID"]
    spans = traces.wait_for(TRACE, *WHOLE)
    check_whole(spans, TRACE, job)
    account = tracing.get("/v1/account", key=tracing.key).json()["account"]["id"]
    request, _, attempt, _, _, webhook = [span["attributes"] for span in spans]
    assert request == {
        "http.request.method": "POST",
        "http.route": "/v1/jobs",
        "http.response.status_code": 201,
        "url.path": "/v1/jobs",
        "url.scheme": "http",
        "tessera.request.id": request_id,
        "tessera.account.id": account,
        "tessera.job.id": job,
    }
    assert (attempt["tessera.job.attempt"], attempt["tessera.job.end"]) == (1, "succeeded")
    assert attempt["messaging.message.id"] == job
    assert (webhook["http.request.method"], webhook["http.response.status_code"]) == ("POST", 200)
    assert webhook["url.full"] == traces.url("/hook")
    resource = spans[0]["resource"]
    assert resource["service.name"] == "tessera" and resource["service.version"] and resource["service.instance.id"]
    told = traces.webhooks.get(timeout=60)
    assert told == {"trace": TRACE, "span": spans[-1]["id"], "flags": 1, "state": "vendor=42,x=y"}
    assert all(batch["gzip"] and batch["token"] == "hush" for batch in traces.batches)
    events = {"job.accepted", "job.succeeded", "webhook.attempt", "request"}
    for event in events:
        assert tracing.wait_for_event(event, job=job)["trace_id"] == TRACE
    assert tracing.wait_for_event("request", job=job)["span_id"] == spans[0]["id"]
    assert tracing.wait_for_event("webhook.attempt", job=job)["span_id"] == spans[-1]["id"]
    assert metric(tracing, "tessera_trace_spans_total", end="sent") >= 6


def test_a_trace_that_begins_here_has_the_id_of_its_request(tracing, traces):
    answer = submit(tracing, tracing.key, tracing.asset)
    trace = answer.headers["X-Request-ID"].replace("-", "")
    check_whole(traces.wait_for(trace, *WHOLE), trace, answer.json()["id"], caller=None)


def test_failures_are_told_as_such_and_refusals_are_not(tracing, traces):
    asset = upload(tracing, tracing.key, truncated_png()).json()["id"]
    trace, parent = new_trace(7)
    job = submit(tracing, tracing.key, asset, traceparent=parent).json()["id"]
    attempt, engine = traces.wait_for(trace, "process resize", "engine")
    for span in (attempt, engine):
        assert span["failed"] and span["attributes"]["error.type"] == "decode_failed"
    assert wait_for_job(tracing, tracing.key, job)["status"] == "failed"
    trace, parent = new_trace(8)
    tracing.get("/v1/jobs/nonsense?sig=secret", key=tracing.key, headers={"traceparent": parent})
    (refused,) = traces.wait_for(trace, "GET /v1/jobs/{id}")
    assert not refused["failed"] and "error.type" not in refused["attributes"]
    assert refused["attributes"]["tessera.error.code"] == "invalid_id"
    assert refused["attributes"]["url.path"] == "/v1/jobs/nonsense"


def test_a_replay_is_a_span_of_its_own_and_the_job_stays_in_the_first_trace(tracing, traces):
    (first, first_parent), (second, second_parent) = new_trace(9), new_trace(10)
    once = {"Idempotency-Key": "traced-once"}
    job = submit(tracing, tracing.key, tracing.asset, traceparent=first_parent, **once).json()["id"]
    again = tracing.post(
        "/v1/jobs",
        body={**RESIZE, "asset_id": tracing.asset},
        key=tracing.key,
        headers={"traceparent": second_parent, **once},
    )
    assert (again.status, again.json()["id"]) == (200, job)
    traces.wait_for(first, *WHOLE)
    traces.wait_for(second, "POST /v1/jobs")
    assert [span["name"] for span in traces.of(second)] == ["POST /v1/jobs"]


def test_the_buckets_of_requests_and_jobs_name_their_last_trace(tracing):
    trace, parent = new_trace(0xEE)
    made = submit(tracing, tracing.key, tracing.asset, traceparent=parent)
    assert wait_for_job(tracing, tracing.key, made.json()["id"])["status"] == "succeeded"

    def exemplars(family, labels):
        page = tracing.get("/metrics", headers={"Accept": "application/openmetrics-text"}).body.decode()
        line = rf'^{family}_bucket\{{{labels},le="([^"]+)"\}} \d+ # \{{trace_id="{trace}"\}} (\S+) (\d+\.\d{{3}})$'
        return re.findall(line, page, re.M)

    for family, labels in [
        ("tessera_http_request_duration_seconds", 'method="POST",route="/v1/jobs"'),
        ("tessera_job_duration_seconds", 'operation="resize"'),
    ]:
        wait_until(lambda: exemplars(family, labels), f"an exemplar of {family}")
        ((bound, seconds, at),) = exemplars(family, labels)
        assert 0 < float(seconds) <= float(bound) and abs(time.time() - float(at)) < 3600
    assert "trace_id" not in tracing.get("/metrics").body.decode()


def test_what_health_checks_ask_is_not_traced(tracing, traces):
    trace, parent = new_trace(11)
    for path in ("/healthz", "/readyz", "/metrics", "/no-such-route", "/v1/plans"):
        tracing.get(path, headers={"traceparent": parent})
    traces.wait_for(trace, "GET /v1/plans")
    assert [span["name"] for span in traces.of(trace)] == ["GET /v1/plans"]


@pytest.mark.parametrize(
    "value",
    [
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        '00-0af7651916cd43dd8448eb211c8031"c-b7ad6b7169203331-01',
        "x" * 4000,
    ],
)
def test_a_malformed_traceparent_is_as_if_it_were_not_there(tracing, value):
    answer = tracing.get("/v1/plans", headers={"traceparent": value, "tracestate": "evil=1"})
    assert answer.status == 200
    request_id = answer.headers["X-Request-ID"]
    line = tracing.wait_for_event("request", request_id=request_id)
    assert line["trace_id"] == request_id.replace("-", "")
    assert value not in tracing.log() and "evil" not in tracing.log()


def test_two_nodes_make_one_trace(database, make_service, folder, traces):
    settings = {
        **sending_to(traces.url()),
        "metadata.url": database.url,
        "blobs.url": f"file:{folder}/blobs",
    }
    front = make_service("front", settings=settings, arguments=["--workers", "0"])
    key = front.new_account("tester")
    add_endpoint(front, "tester", traces.url("/hook"))
    asset = upload(front, key, png(64, 64)).json()["id"]
    trace, parent = new_trace(12)
    job = submit(front, key, asset, traceparent=parent).json()["id"]
    back = make_service("back", settings=settings, command="worker", start=False)
    back.start(wait=False)
    spans = traces.wait_for(trace, *WHOLE)
    check_whole(spans, trace, job)
    nodes = [span["resource"]["service.instance.id"] for span in spans]
    assert nodes[0] == nodes[5] and len({*nodes[1:5]}) == 1 and nodes[0] != nodes[1]
    assert back.wait_for_event("job.succeeded", job=job)["trace_id"] == trace


def test_without_traces_the_log_and_webhooks_still_have_the_trace(make_service, traces):
    """As is, and with a ratio of nothing: a caller's wish for spans costs nothing here, and is passed on."""
    for name, settings in (
        ("off", sending_to("")),
        ("none", sending_to(traces.url(), **{"traces.sample_ratio": "0"})),
    ):
        service = make_service(name, settings=settings)
        key = service.new_account("tester")
        add_endpoint(service, "tester", traces.url("/hook"))
        asset = upload(service, key, png(40, 40)).json()["id"]
        trace, parent = new_trace(13 if name == "off" else 14)
        job = submit(service, key, asset, traceparent=parent).json()["id"]
        for event in ("request", "job.accepted", "job.succeeded", "webhook.attempt"):
            assert service.wait_for_event(event, job=job)["trace_id"] == trace
        told = wait_until(lambda: next((t for t in list(traces.webhooks.queue) if t["trace"] == trace), None), "it")
        assert told["flags"] == 1 and told["span"] not in (CALLING_SPAN, "0" * 16)
        assert "span_id" not in service.wait_for_event("request", job=job)
        assert service.stop() == 0  # what waits would be sent by now
        assert traces.of(trace) == []


def test_a_receiver_that_is_away_or_hangs_is_in_nobodys_way(make_service, receiver):
    receiver.behave["/v1/traces"] = receiver.hang
    few = {"traces.queue_spans": "20", "traces.batch_spans": "10", "traces.stop_timeout": "100ms"}
    for name, endpoint in (("away", "http://127.0.0.1:1/v1/traces"), ("hangs", receiver.url("/v1/traces"))):
        settings = sending_to(endpoint, **few, **{"traces.max_per_second": "100000"})
        service = make_service(name, settings=settings)
        key = service.new_account("tester")
        asset = upload(service, key, png(40, 40)).json()["id"]
        job = submit_resize(service, key, asset)
        for _ in range(100):
            assert service.get("/v1/plans").status == 200
        assert wait_for_job(service, key, job)["status"] == "succeeded"
        assert metric(service, "tessera_trace_spans_total", end="queue_full") >= 50
        assert metric(service, "tessera_trace_spans_total", end="sent") == 0
        assert service.stop() == 0
        told = [event["event"] for event in service.log_events() if event["event"].startswith("traces.")]
        assert told.count("traces.dropped") == 1 and told.count("traces.not_sent") <= 1


def timings(answer):
    """Of Server-Timing: milliseconds, and descriptions, by name."""
    parts = [part.strip().split(";") for part in answer.headers["Server-Timing"].split(",")]
    return {name: float(value[4:]) if value.startswith("dur=") else value[5:].strip('"') for name, value in parts}


ASKED = {"Prefer": "server-timing"}


def test_who_has_a_key_and_asks_is_told_where_the_time_went(tracing):
    begun = time.monotonic()
    job = submit(tracing, tracing.key, tracing.asset, traceparent=new_trace(15)[1], **ASKED)
    took = (time.monotonic() - begun) * 1000
    times = timings(job)
    assert set(times) >= {"auth", "db", "total", "traceparent"}
    assert 0 < times["db"] <= times["total"] <= took and 0 < times["auth"] <= times["total"]
    assert re.fullmatch(r"00-0{31}f-[0-9a-f]{16}-0[13]", times["traceparent"])
    waited = tracing.get(
        f"/v1/jobs/{job.json()['id']}", key=tracing.key, headers={"Prefer": "wait=30, server-timing"}
    )
    assert waited.headers["Preference-Applied"] == "wait=30"
    assert {"db", "total"} <= set(timings(waited))


def test_an_upload_tells_of_its_engine_and_its_blob(tracing):
    body, content_type = multipart(png(50, 50))
    answer = tracing.post(
        "/v1/assets", body=body, key=tracing.key, headers={"Content-Type": content_type, **ASKED}
    )
    assert answer.status == 201
    times = timings(answer)
    assert {"engine", "blobs", "db", "total"} <= set(times) and times["engine"] + times["blobs"] <= times["total"]


def test_nobody_else_is(tracing, make_service):
    assert "Server-Timing" not in tracing.get("/v1/account", key=tracing.key).headers
    assert "Server-Timing" not in tracing.get("/v1/plans", key=tracing.key, headers=ASKED).headers
    assert "Server-Timing" not in tracing.get("/v1/account", key="wrong", headers=ASKED).headers
    quiet = make_service(settings={"server.server_timing": "false"})
    key = quiet.new_account("tester")
    assert "Server-Timing" not in quiet.get("/v1/account", key=key, headers=ASKED).headers
