"""Malformed, ambiguous, oversized and slow requests against the real server."""

import concurrent.futures
import contextlib
import json
import re
import socket
import time

import pytest
from service import wait_until

HOST = b"Host: localhost\r\n"


def parse(raw):
    head, _, body = raw.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    status = int(lines[0].split()[1])
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    return status, headers, body


def assert_json_error(raw, *statuses):
    status, headers, body = parse(raw)
    assert status in statuses, raw[:300]
    assert headers["content-type"].startswith("application/json")
    assert headers["x-request-id"]
    document = json.loads(body)
    assert document["error"] and document["code"]
    return document


def still_serves(service):
    assert service.get("/healthz").status == 200


@pytest.mark.parametrize(
    "name,request_bytes,statuses",
    [
        ("both lengths", b"POST /v1/jobs HTTP/1.1\r\n" + HOST + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", (400,)),
        ("two lengths", b"POST /v1/jobs HTTP/1.1\r\n" + HOST + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", (400,)),
        ("negative length", b"POST /v1/jobs HTTP/1.1\r\n" + HOST + b"Content-Length: -1\r\n\r\n", (400,)),
        ("length with plus", b"POST /v1/jobs HTTP/1.1\r\n" + HOST + b"Content-Length: +5\r\n\r\nhello", (400,)),
        ("huge length", b"POST /v1/jobs HTTP/1.1\r\n" + HOST + b"Content-Length: 99999999999999999999999\r\n\r\n", (400, 413)),
        ("te identity", b"POST /v1/jobs HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: identity\r\n\r\n", (400, 501)),
        ("te xchunked", b"POST /v1/jobs HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: xchunked\r\n\r\n", (400, 501)),
        ("te gzip, chunked", b"POST /v1/jobs HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", (400, 501)),
        ("no host", b"GET /healthz HTTP/1.1\r\n\r\n", (400,)),
        ("two hosts", b"GET /healthz HTTP/1.1\r\n" + HOST + HOST + b"\r\n", (400,)),
        ("folded header", b"GET /healthz HTTP/1.1\r\n" + HOST + b"X-A: 1\r\n 2\r\n\r\n", (400,)),
        ("space before colon", b"GET /healthz HTTP/1.1\r\n" + HOST + b"X-A : 1\r\n\r\n", (400,)),
        ("nul in header", b"GET /healthz HTTP/1.1\r\n" + HOST + b"X-A: a\x00b\r\n\r\n", (400,)),
        ("nul in target", b"GET /v1/plans\x00/../x HTTP/1.1\r\n" + HOST + b"\r\n", (400,)),
        ("raw utf-8 target", b"GET /caf\xc3\xa9 HTTP/1.1\r\n" + HOST + b"\r\n", (400,)),
        ("no version", b"GET /healthz\r\n\r\n", (400,)),
        ("version 2", b"GET /healthz HTTP/2.0\r\n" + HOST + b"\r\n", (400, 505)),
        ("tls hello", bytes.fromhex("16030100a5010000a10303") + b"\x00" * 40, (400,)),
        ("garbage", b"\x00\x01\x02\x03\r\n\r\n", (400,)),
        ("oversized header", b"GET /healthz HTTP/1.1\r\n" + HOST + b"X-A: " + b"a" * 100_000 + b"\r\n\r\n", (431,)),
        ("five hundred headers", b"GET /healthz HTTP/1.1\r\n" + HOST + b"".join(b"X-%d: 1\r\n" % i for i in range(500)) + b"\r\n", (431,)),
        ("oversized target", b"GET /" + b"a" * 50_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", (414, 431)),
    ],
)
def test_a_bad_request_gets_a_json_error_and_harms_nobody(service, name, request_bytes, statuses):
    assert_json_error(service.raw(request_bytes), *statuses)
    still_serves(service)


@pytest.mark.parametrize("size", [b"xyz", b"-5", b"ffffffffffffffffff", b"0x5", b""])
def test_a_bad_chunk_size_is_refused(service, key, size):
    raw = service.raw(
        b"POST /v1/jobs HTTP/1.1\r\n" + HOST + b"Authorization: Bearer " + key.encode()
        + b"\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" + size + b"\r\nhello\r\n0\r\n\r\n"
    )
    assert_json_error(raw, 400)
    still_serves(service)


@pytest.mark.parametrize("path", ["/../etc/passwd", "/v1/../../etc/passwd", "/%2e%2e/etc/passwd", "/v1/jobs/%00", "/v1/jobs/..%2f..%2f", "//v1/plans", "/v1/plans/", "/v1/%zz"])
def test_no_path_leads_outside_the_table(service, path):
    answer = service.get(path)
    assert answer.status in (400, 401, 404), (path, answer)
    assert answer.json()["error"]


def test_an_unknown_route_is_not_found_and_a_wrong_method_names_the_right_ones(service):
    missing = service.get("/v1/nothing")
    assert (missing.status, missing.json()["error"]) == (404, "not found")
    wrong = service.request("DELETE", "/v1/plans")
    assert wrong.status == 405
    assert "GET" in wrong.headers["Allow"]


def test_every_response_has_a_request_id_and_a_valid_one_is_kept(service):
    assert re.fullmatch(r"[0-9a-f-]{36}", service.get("/v1/plans").headers["X-Request-ID"])
    assert service.get("/v1/plans", headers={"X-Request-ID": "my-id_1.2:3"}).headers["X-Request-ID"] == "my-id_1.2:3"
    replaced = service.get("/v1/plans", headers={"X-Request-ID": "bad id <script>"}).headers["X-Request-ID"]
    assert re.fullmatch(r"[0-9a-f-]{36}", replaced)


def test_head_has_the_headers_of_get_and_no_body(service):
    get = service.get("/v1/plans")
    head = service.request("HEAD", "/v1/plans")
    assert head.status == 200 and head.body == b""
    assert head.headers["Content-Length"] == get.headers["Content-Length"]


def test_pipelined_requests_are_answered_in_order(service):
    one = b"GET /healthz HTTP/1.1\r\n" + HOST + b"X-Request-ID: first\r\n\r\n"
    two = b"GET /v1/plans HTTP/1.1\r\n" + HOST + b"X-Request-ID: second\r\n\r\n"
    three = b"GET /healthz HTTP/1.1\r\n" + HOST + b"X-Request-ID: third\r\nConnection: close\r\n\r\n"
    raw = service.raw(one + two + three)
    assert [m.decode() for m in re.findall(rb"(?i)x-request-id: (\w+)", raw)] == ["first", "second", "third"]


def test_a_client_that_asks_first_is_told_to_continue(service, key):
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as sock:
        sock.sendall(
            b"POST /v1/jobs HTTP/1.1\r\n" + HOST + b"Authorization: Bearer " + key.encode()
            + b"\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"
        )
        first = sock.recv(4096)
        assert first.startswith(b"HTTP/1.1 100"), first
        sock.sendall(b"{}")
        rest = b""
        while chunk := sock.recv(4096):
            rest += chunk
    assert parse(rest)[0] == 400


def test_an_oversized_json_body_is_refused_by_its_length_alone(service, key):
    raw = service.raw(
        b"POST /v1/jobs HTTP/1.1\r\n" + HOST + b"Authorization: Bearer " + key.encode()
        + b"\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n"
    )
    assert_json_error(raw, 413)


def test_slow_heads_are_cut_off_while_others_are_served(make_service):
    service = make_service(settings={"rate_limits.enabled": "false", "server.head_timeout": "1s"})
    slow = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(50)]
    for sock in slow:
        sock.sendall(b"GET /healthz HTTP/1.1\r\nHost: loc")
    began = time.monotonic()
    still_serves(service)
    assert time.monotonic() - began < 20
    for sock in slow:
        sock.settimeout(30)
        with contextlib.suppress(ConnectionResetError):
            while sock.recv(4096):
                pass
        sock.close()


def test_a_thousand_connections_at_once_are_all_served(service):
    sockets = [socket.create_connection(("127.0.0.1", service.port), timeout=30) for _ in range(1000)]
    try:
        for sock in sockets:
            sock.sendall(b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n")
        for sock in sockets:
            assert sock.recv(4096).startswith(b"HTTP/1.1 200")
    finally:
        for sock in sockets:
            sock.close()


def test_connections_beyond_the_cap_are_refused_clearly_and_room_comes_back(make_service):
    service = make_service(settings={"rate_limits.enabled": "false", "server.max_connections": "20"})
    held = [socket.create_connection(("127.0.0.1", service.port), timeout=30) for _ in range(20)]
    for sock in held:
        sock.sendall(b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n")
        assert sock.recv(4096).startswith(b"HTTP/1.1 200")
    refused = service.raw(b"GET /healthz HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n")
    assert parse(refused)[0] == 503
    for sock in held:
        sock.close()

    def served():
        with contextlib.suppress(OSError):
            return service.get("/healthz").status == 200

    wait_until(served, "room for a new connection")


def test_health_metrics_and_openapi_need_no_key(service):
    for path in ("/healthz", "/readyz", "/metrics", "/openapi.json", "/v1/openapi.json"):
        assert service.get(path).status == 200, path
    assert service.get("/openapi.json").json()["openapi"].startswith("3.1")
    text = service.get("/metrics").body.decode()
    assert re.search(r'_count\{[^}]*route="/v1/plans"|requests_total\{[^}]*"/v1/plans"', text), text[:2000]


def test_many_clients_at_once_get_their_own_answers(service):
    def ask(number):
        answer = service.get("/v1/plans", headers={"X-Request-ID": f"client-{number}"})
        return answer.status == 200 and answer.headers["X-Request-ID"] == f"client-{number}"

    with concurrent.futures.ThreadPoolExecutor(32) as pool:
        assert all(pool.map(ask, range(500)))
