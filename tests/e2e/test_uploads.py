"""POST /v1/assets: what it takes, what it refuses, and what is left behind afterwards (nothing)."""

import concurrent.futures
import contextlib
import hashlib
import http.client
import json
import os
import re
import socket
import subprocess
import time

import pytest
from service import PATIENCE, multipart, upload, wait_until
from upload_samples import ELF, FILE, HTML, PDF, SVG, TIFF, encoded, form, png, png_claiming, png_of_size

MEBIBYTE = 1 << 20


def post_form(service, key, body, content_type="multipart/form-data; boundary=XX", **headers):
    return service.post("/v1/assets", body=body, key=key, headers={"Content-Type": content_type, **headers})


def assert_refused(answer, status, error=None, code=None):
    assert answer.status == status, answer
    document = answer.json()
    assert document["error"] and document["code"], document
    if error:
        assert document["error"] == error
    if code:
        assert document["code"] == code


def staged(service):
    folder = service.data_dir / "staging"
    return [p for p in folder.rglob("*") if p.is_file() and p.name != ".lock"] if folder.exists() else []


def blobs(service, area="assets"):
    folder = service.data_dir / "blobs" / area
    return [p for p in folder.rglob("*") if p.is_file()] if folder.exists() else []


def open_descriptors(service):
    return len(os.listdir(f"/proc/{service.process.pid}/fd"))


class RawUpload:
    """An upload whose bytes are sent by hand."""

    def __init__(self, service, key, length, content_type="multipart/form-data; boundary=XX"):
        self.socket = socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE)
        framing = "Transfer-Encoding: chunked" if length is None else f"Content-Length: {length}"
        self.chunked = length is None
        self.socket.sendall(
            f"POST /v1/assets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n"
            f"Content-Type: {content_type}\r\n{framing}\r\n\r\n".encode()
        )

    def send(self, data):
        self.socket.sendall(b"%x\r\n%s\r\n" % (len(data), data) if self.chunked else data)

    def answer(self):
        response = http.client.HTTPResponse(self.socket)
        response.begin()
        return response.status, json.loads(response.read())

    def has_answer(self):
        self.socket.setblocking(False)
        try:
            return bool(self.socket.recv(1, socket.MSG_PEEK))
        except BlockingIOError:
            return False
        except ConnectionResetError:
            return True
        finally:
            self.socket.settimeout(PATIENCE)

    def close(self):
        self.socket.close()


# --- what is taken ---


def test_an_upload_gives_the_asset_of_the_interface(service, key):
    content = png(40, 30)
    answer = upload(service, key, content, "holiday.png")
    assert answer.status == 201, answer
    asset = answer.json()
    assert set(asset) == {
        "id", "account_id", "source_type", "status", "original_filename", "content_type", "checksum_sha256", "byte_size",
        "width", "height", "storage_key", "created_at",
    }  # fmt: skip
    assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", asset["id"])
    assert asset["account_id"] == service.get("/v1/account", key=key).json()["account"]["id"]
    assert (asset["source_type"], asset["status"]) == ("upload", "ready")
    assert asset["original_filename"] == "holiday.png"
    assert asset["content_type"] == "image/png"
    assert asset["checksum_sha256"] == hashlib.sha256(content).hexdigest()
    assert (asset["byte_size"], asset["width"], asset["height"]) == (len(content), 40, 30)
    assert asset["storage_key"] == f"assets/{asset['account_id']}/{asset['checksum_sha256']}"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", asset["created_at"])
    assert staged(service) == []


@pytest.mark.parametrize(
    "suffix,options,media_type",
    [
        (".jpg", "", "image/jpeg"),
        (".png", "", "image/png"),
        (".webp", "", "image/webp"),
        (".gif", "", "image/gif"),
        (".avif", "", "image/avif"),
        (".heic", "", "image/heif"),
        (".jxl", "", "image/jxl"),
    ],
)
def test_every_format_is_known_by_its_bytes_alone(service, key, suffix, options, media_type):
    try:
        content = encoded(suffix, options)
    except subprocess.CalledProcessError as failed:
        pytest.skip(f"this libvips writes no {suffix}: {failed.stderr[:100]}")
    body = form((b'Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain', content))
    answer = post_form(service, key, body)
    assert answer.status == 201, answer
    assert answer.json()["content_type"] == media_type
    assert (answer.json()["width"], answer.json()["height"]) == (64, 48)


def test_orientation_is_applied_to_width_and_height(service, key, folder):
    (folder / "wide.png").write_bytes(png(60, 20))
    subprocess.run(["vips", "copy", folder / "wide.png", f"{folder}/wide.jpg"], check=True)
    jpeg = (folder / "wide.jpg").read_bytes()
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    rotated = jpeg[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + jpeg[2:]
    asset = upload(service, key, rotated).json()
    assert (asset["width"], asset["height"]) == (20, 60)


def test_parts_come_in_any_order_and_others_are_skipped(service, key):
    other = (b'Content-Disposition: form-data; name="note"', b"\r\nhello --XX\r\n")
    for parts in ([other, (FILE, png())], [(FILE, png()), other], [other, other, (FILE, png()), other]):
        assert post_form(service, key, form(*parts)).status == 201


def test_a_chunked_body_is_taken(service, key):
    raw = RawUpload(service, key, None)
    body = form((FILE, png(seed=3)))
    for at in range(0, len(body), 100):
        raw.send(body[at : at + 100])
    raw.socket.sendall(b"0\r\n\r\n")
    assert raw.answer()[0] == 201
    raw.close()


@pytest.mark.parametrize(
    "parameters,kept",
    [
        ('filename="plain.png"', "plain.png"),
        ('filename="caf\u00e9 \u65e5\u672c.png"', "caf\u00e9 \u65e5\u672c.png"),
        ("filename*=UTF-8''caf%C3%A9.png", "caf\u00e9.png"),
        ("filename=\"x.png\"; filename*=UTF-8''%e2%82%ac.png", "\u20ac.png"),
        ('filename="../../etc/passwd"', "passwd"),
        ('filename="C:\\\\dir\\\\a.png"', "a.png"),
        ('filename="a\\"b.png"', 'a"b.png'),
        ('filename="a%22b%0D%0A.png"', 'a"b.png'),
        ("filename*=UTF-8''a%00%1b%0ab.png", "ab.png"),
        ("filename*=UTF-8''gpj.%E2%80%AEexe.png", "gpj.exe.png"),
        ('filename="' + "n" * 1000 + '.png"', "n" * 251 + ".png"),
        ('filename=".."', "upload"),
        ("", "upload"),
    ],
)
def test_a_filename_is_kept_without_what_could_do_harm(service, key, parameters, kept):
    header = 'Content-Disposition: form-data; name="file"' + (f"; {parameters}" if parameters else "")
    answer = post_form(service, key, form((header.encode(), png())))
    assert answer.status == 201, answer
    assert answer.json()["original_filename"] == kept


def test_the_same_bytes_twice_are_two_assets_and_one_blob(make_service):
    service = make_service()
    key = service.new_account("twice")
    first, second = (upload(service, key, png(seed=9)).json() for _ in range(2))
    assert first["id"] != second["id"]
    assert first["storage_key"] == second["storage_key"]
    assert len(blobs(service)) == 1
    # Another account's are its own.
    assert upload(service, service.new_account("other"), png(seed=9)).json()["storage_key"] != first["storage_key"]
    assert len(blobs(service)) == 2


def test_the_same_bytes_from_many_at_once_are_one_blob(make_service):
    service = make_service()
    key = service.new_account("many")
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: upload(service, key, png(seed=10)), range(32)))
    assert {answer.status for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 32
    assert len(blobs(service)) == 1


@pytest.mark.parametrize(
    "name,content,media_type",
    [
        ("a JPEG with a ZIP at its end", lambda: encoded(".jpg") + b"PK\x03\x04" + b"\0" * 60 + b"PK\x05\x06" + b"\0" * 18, "image/jpeg"),
        ("a GIF with HTML in a comment", lambda: (lambda gif: gif[:-1] + b"\x21\xfe\x42" + HTML.ljust(0x42)[:0x42] + b"\0;")(encoded(".gif")), "image/gif"),
        ("a PNG with a script at its end", lambda: png() + b"<?php system($_GET[0]); ?>", "image/png"),
    ],
)
def test_a_polyglot_is_the_image_that_it_is_and_nothing_else(service, key, name, content, media_type):
    data = content()
    answer = upload(service, key, data)
    assert answer.status == 201, answer
    assert answer.json()["content_type"] == media_type
    assert answer.json()["checksum_sha256"] == hashlib.sha256(data).hexdigest()


# --- what is refused ---


@pytest.mark.parametrize("name,content", [("svg", SVG), ("pdf", PDF), ("tiff", TIFF), ("html", HTML), ("elf", ELF), ("zip", b"PK\x03\x04" + b"\0" * 60), ("bmp", b"BM" + b"\0" * 60), ("text", b"hello"), ("zeros", b"\0" * 1000), ("one byte", b"\x89"), ("empty", b"")])
def test_what_is_no_supported_image_is_415_whatever_it_is_called(service, key, name, content):
    body = form((b'Content-Disposition: form-data; name="file"; filename="picture.png"\r\nContent-Type: image/png', content))
    assert_refused(post_form(service, key, body), 415, code="unsupported_media_type")
    assert staged(service) == []


def test_a_wrong_type_is_refused_before_the_rest_is_sent(service, key):
    raw = RawUpload(service, key, 10 * MEBIBYTE)
    raw.send(b"--XX\r\n" + FILE + b"\r\n\r\n" + SVG)
    status, document = raw.answer()  # nine mebibytes were never sent
    assert (status, document["code"]) == (415, "unsupported_media_type")
    raw.close()


def test_an_upload_is_cut_at_the_plans_cap(make_service):
    service = make_service()
    key = service.new_account("small", plan="starter")
    cap = 20 * MEBIBYTE
    # Exactly the cap is fine.
    assert upload(service, key, png_of_size(cap)).status == 201
    # One byte more is not, with or without a declared length that gives it away.
    body, content_type = multipart(png_of_size(cap + 1))
    assert_refused(service.post("/v1/assets", body=body, key=key, headers={"Content-Type": content_type}), 400, code="upload_too_large")

    raw = RawUpload(service, key, None)
    sent = 0
    raw.send(b"--XX\r\n" + FILE + b"\r\n\r\n" + png())
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        while not raw.has_answer() and sent < 4 * cap:
            raw.send(b"\0" * MEBIBYTE)
            sent += MEBIBYTE
    assert sent < 2 * cap, "the stream is cut, not read to its end"
    status, document = raw.answer()
    assert (status, document["code"]) == (400, "upload_too_large")
    raw.close()
    wait_until(lambda: staged(service) == [], "the staging folder to be empty")


def test_a_declared_length_far_over_the_cap_is_refused_unread(make_service):
    service = make_service()
    raw = RawUpload(service, service.new_account("small", plan="starter"), 1 << 40)
    status, document = raw.answer()
    assert (status, document["code"]) == (400, "upload_too_large")
    raw.close()


@pytest.mark.parametrize("width,height", [(65535, 65535), (2**31 - 1, 2**31 - 1), (2**31 - 1, 1), (40_000, 40_000)])
def test_a_header_that_claims_too_many_pixels_is_refused(make_service, width, height):
    service = make_service()
    key = service.new_account("small", plan="starter")
    answer = upload(service, key, png_claiming(width, height))
    assert answer.status in (400, 415), answer
    assert answer.json()["code"] in ("image_too_large", "unsupported_media_type")
    assert blobs(service) == []


FORMS = {
    "empty body": b"",
    "no boundary at all": b"hello",
    "another boundary": form((FILE, png()), boundary="YY"),
    "a boundary without its hyphens": form((FILE, png())).replace(b"--XX", b"XX"),
    "a boundary with one hyphen": form((FILE, png())).replace(b"--XX", b"-XX"),
    "a longer boundary": form((FILE, png()), boundary="XXX"),
    "bare line feeds": form((FILE, b"x")).replace(b"\r\n", b"\n"),
    "never closed": form((FILE, png()), end=b""),
    "closed with one hyphen": form((FILE, png()), end=b"--XX-\r\n"),
    "something after the boundary": form((FILE, png())).replace(b"--XX\r\n", b"--XXhello\r\n"),
    "cut in the headers": b"--XX\r\n" + FILE[:30],
    "no headers": b"--XX\r\n\r\nx\r\n--XX--\r\n",
    "no disposition": form((b"Content-Type: image/png", png())),
    "no name": form((b"Content-Disposition: form-data", png())),
    "not form-data": form((b'Content-Disposition: attachment; name="file"', png())),
    "an open quote": form((b'Content-Disposition: form-data; name="file', png())),
    "a folded header": form((b'Content-Disposition: form-data;\r\n name="file"', png())),
    "two files": form((FILE, png()), (FILE, png())),
    "headers without end": b"--XX\r\n" + b"X-A: b\r\n" * 10_000,
    "too many parts": form(*[(b'Content-Disposition: form-data; name="n"', b"x")] * 1000),
    "too much that is not the file": form((b'Content-Disposition: form-data; name="n"', b"x" * 1_000_000), (FILE, png())),
    "a preamble without end": b"x" * 1_000_000,
}


@pytest.mark.parametrize("name", FORMS)
def test_a_form_in_a_wrong_shape_is_an_invalid_upload(service, key, name):
    assert_refused(post_form(service, key, FORMS[name]), 400, "invalid multipart upload")
    assert staged(service) == []


@pytest.mark.parametrize("content_type", ["", "image/png", "application/json", "multipart/form-data", "multipart/form-data; boundary=", 'multipart/form-data; boundary="XX', "multipart/mixed; boundary=XX", "multipart/form-data; boundary=" + "b" * 71, "multipart/form-data; boundary=XX; boundary=YY"])
def test_a_content_type_without_a_usable_boundary_is_an_invalid_upload(service, key, content_type):
    assert_refused(post_form(service, key, form((FILE, png())), content_type), 400, "invalid multipart upload")


@pytest.mark.parametrize("body", [b"--XX--\r\n", form((b'Content-Disposition: form-data; name="picture"; filename="a.png"', png())), form((b'Content-Disposition: form-data; name="file"; filename=""', b""))])
def test_a_form_without_the_file_says_so(service, key, body):
    assert_refused(post_form(service, key, body), 400, "file is required")


def test_keys_without_the_permission_or_without_existence_are_refused(make_service):
    service = make_service()
    service.new_account("reads")
    assert_refused(upload(service, service.new_key("reads", role="reader"), png()), 403, "permission denied")
    assert_refused(upload(service, "tsr_nonsense", png()), 401, "invalid api key")
    assert_refused(upload(service, None, png()), 401, "missing api key")
    assert blobs(service) == [] and staged(service) == []


def test_the_rate_limit_is_thirty_a_minute_per_account(make_service):
    service = make_service(settings={})
    key = service.new_account("busy")
    answers = [upload(service, key, png()) for _ in range(31)]
    assert [answer.status for answer in answers] == [201] * 30 + [429]
    assert answers[-1].json()["code"] == "rate_limited"
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 60
    assert upload(service, service.new_account("calm"), png()).status == 201


# --- clients that misbehave ---


def test_clients_that_send_a_byte_at_a_time_hold_nobody_up(make_service):
    service = make_service(settings={"rate_limits.enabled": "false", "server.body_timeout": "2s", "server.blocking_threads": "2"})
    key = service.new_account("slow")
    body = form((FILE, png()))
    slow = [RawUpload(service, key, len(body)) for _ in range(50)]
    sent = 0

    def drip():
        nonlocal sent
        for one in slow:
            with contextlib.suppress(OSError):
                one.send(body[sent : sent + 1])
        sent += 1

    # Others are served meanwhile, though there are only two threads for uploads.
    for seed in range(5):
        drip()
        began = time.monotonic()
        assert upload(service, key, png(seed=seed)).status == 201
        assert time.monotonic() - began < 30

    # In the end each of them is cut off for being too slow.
    def all_cut():
        drip()
        return all(one.has_answer() for one in slow)

    wait_until(all_cut, "the slow clients to be cut off", pause=1.0)
    for one in slow:
        one.close()
    wait_until(lambda: staged(service) == [], "the staging folder to be empty")


def test_a_slow_client_that_goes_on_is_served(service, key):
    body = form((FILE, png(8, 8)))
    raw = RawUpload(service, key, len(body))
    for at in range(len(body)):
        raw.send(body[at : at + 1])
        time.sleep(0.002)
    assert raw.answer()[0] == 201
    raw.close()


def test_a_hundred_clients_that_vanish_midway_leave_nothing(make_service):
    service = make_service()
    key = service.new_account("gone")
    assert upload(service, key, png()).status == 201
    blobs_before, descriptors_before = len(blobs(service)), open_descriptors(service)
    content = png_of_size(3 * MEBIBYTE)
    body = form((FILE, content))
    vanishing = [RawUpload(service, key, len(body)) for _ in range(100)]
    for number, one in enumerate(vanishing):
        one.send(body[: (number * 37_007) % (2 * MEBIBYTE)])
    wait_until(lambda: len(staged(service)) > 50, "uploads to be under way")
    for number, one in enumerate(vanishing):
        if number % 2:  # half of them with a reset instead of an orderly end
            one.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        one.close()
    wait_until(lambda: staged(service) == [], "the staging folder to be empty")
    wait_until(lambda: open_descriptors(service) <= descriptors_before + 5, "descriptors to be closed")
    assert len(blobs(service)) == blobs_before
    assert upload(service, key, content).status == 201


def test_kill_9_in_an_upload_leaves_nothing_half_there(make_service):
    service = make_service()
    key = service.new_account("killed")
    kept = upload(service, key, png(seed=1)).json()
    body = form((FILE, png_of_size(5 * MEBIBYTE)))
    for sent in (2000, MEBIBYTE, len(body) - 10):
        raw = RawUpload(service, key, len(body))
        raw.send(body[:sent])
        wait_until(lambda: staged(service), "the upload to be under way")
        service.kill()
        raw.close()
        assert staged(service), "the killed server could not clean up"
        service.start()
        assert staged(service) == []
        assert [path.name for path in blobs(service)] == [f"{kept['account_id']}+{kept['checksum_sha256']}"]
    assert upload(service, key, png(seed=2)).status == 201


def test_kill_9_at_random_instants_leaves_whole_assets_or_none(make_service):
    service = make_service()
    key = service.new_account("killed")
    acknowledged = {}
    for round_number in range(5):
        def send(seed):
            content = png(seed=round_number * 1000 + seed, extra=b"")
            with contextlib.suppress(OSError, http.client.HTTPException):
                answer = upload(service, key, content)
                if answer.status == 201:
                    acknowledged[answer.json()["storage_key"]] = hashlib.sha256(content).hexdigest()

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            futures = [pool.submit(send, seed) for seed in range(100)]
            wait_until(lambda: sum(f.done() for f in futures) > 10 + round_number * 7, "some uploads to be through")
            service.kill()
        service.start()
        assert staged(service) == []
        on_disk = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in blobs(service)}
        for name, digest in on_disk.items():
            assert name.endswith(digest), "a blob that is not whole"
        for storage_key, digest in acknowledged.items():
            assert on_disk[storage_key.removeprefix("assets/").replace("/", "+")] == digest


# --- trouble with the disk ---


@pytest.fixture
def small_disk(folder):
    mount = folder / "disk"
    mount.mkdir()
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", mount], capture_output=True).returncode != 0:
        pytest.skip("mounting a small disk needs root")
    yield mount
    subprocess.run(["umount", "--lazy", mount], check=True)


def test_a_full_disk_is_a_clear_error_and_nothing_is_half_written(make_service, small_disk):
    settings = {"rate_limits.enabled": "false", "storage.min_free_bytes": 0}
    service = make_service(name="disk/data", clean_log=False, settings=settings)
    key = service.new_account("full")
    assert upload(service, key, png(seed=1)).status == 201
    answer = upload(service, key, png_of_size(40 * MEBIBYTE))
    assert answer.status in (500, 503), answer
    assert answer.json()["code"] == "storage_unavailable"
    wait_until(lambda: staged(service) == [], "the staging folder to be empty")
    assert len(blobs(service)) == 1
    assert service.get("/healthz").status == 200
    # There is room for small ones, still.
    assert upload(service, key, png(seed=2)).status == 201


# --- many at once ---


def test_64_concurrent_uploads_of_20_mebibytes_all_succeed(make_service):
    service = make_service()
    key = service.new_account("many", plan="pro")
    bodies = [multipart(png_of_size(20 * MEBIBYTE, seed=seed)) for seed in range(8)]

    def send(number):
        body, content_type = bodies[number % 8]
        return service.post("/v1/assets", body=body, key=key, headers={"Content-Type": content_type}, timeout=300).status

    with concurrent.futures.ThreadPoolExecutor(64) as pool:
        statuses = list(pool.map(send, range(64)))
    assert statuses == [201] * 64
    assert len(blobs(service)) == 8
