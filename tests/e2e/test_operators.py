"""Operators: signing in, what they see and do, and that nobody else can."""

import hashlib
import re
import sqlite3
import subprocess

import pytest
from operators import PASSWORD, Operator, make_operator, refusal
from pictures import png
from service import PATIENCE, Service, free_port, temporary_folder, upload, wait_for_job, wait_until


@pytest.fixture(scope="module")
def anna(service):
    make_operator(service)
    return Operator(service)


@pytest.fixture(scope="module")
def guarded():
    """With rate limits, behind a proxy, the console on an address of its own, and short sessions."""
    settings = {
        "console.operator_listen": f"127.0.0.1:{free_port()}",
        "console.session_ttl": "6s",
        "console.session_idle": "4s",
        "server.trusted_proxies": "127.0.0.1/32",
        "rate_limits.operator_sign_ins": "3",
        "rate_limits.operator_names": "6",
    }
    with temporary_folder() as path:
        shared = Service(path / "data", settings=settings).start()
        yield shared
        shared.stop()
        assert shared.complaints() == []


@pytest.fixture(scope="module")
def desk(guarded):
    """The guarded service as its operators reach it."""
    make_operator(guarded)
    return Service(guarded.data_dir, guarded.settings, port=int(guarded.settings["console.operator_listen"].split(":")[1]))


def trail(operator, **wanted):
    entries = operator.get("/audit?limit=100").json()["entries"]
    return [e for e in entries if all(e[name] == value for name, value in wanted.items())]


def test_whoever_is_not_signed_in_gets_nothing(service, anna):
    for path in ("/session", "/accounts", "/overview", "/configuration", "/audit", "/plans", "/sessions"):
        assert refusal(service.get("/console/api" + path)) == (401, "not_signed_in"), path
        stale = service.get("/console/api" + path, headers={"Cookie": "tessera_operator=" + "x" * 43})
        assert refusal(stale) == (401, "not_signed_in")
        assert stale.headers["WWW-Authenticate"] == "Cookie"
    key = service.new_account("visitor")
    assert refusal(service.get("/console/api/accounts", key=key)) == (401, "not_signed_in")
    # And an operator's session is no key.
    assert service.get("/v1/account", headers={"Cookie": anna.cookie}).status == 401


def test_sign_in_and_its_refusals(service, anna):
    assert anna.signed_in.status == 201, anna.signed_in
    cookie = anna.signed_in.headers["Set-Cookie"]
    assert "; HttpOnly" in cookie and "; SameSite=Strict" in cookie and "Path" not in cookie and "Secure" not in cookie
    session = anna.get("/session").json()
    assert session["operator"]["name"] == "anna" and session["current"] is True
    assert session["created_at"] < session["idle_expires_at"] < session["expires_at"]

    unknown, wrong = Operator(service, "nobody"), Operator(service, "anna", "wrong password")
    for refused in (unknown, wrong):
        assert refusal(refused.signed_in) == (401, "invalid_credentials")
        assert "Set-Cookie" not in refused.signed_in.headers
    alike = [{k: v for k, v in one.signed_in.json().items() if k != "request_id"} for one in (unknown, wrong)]
    assert alike[0] == alike[1]
    assert Operator(service, " ANNA ").signed_in.status == 201
    for body in ({"name": "anna"}, {"name": "anna", "password": 1}, {"name": "a", "password": "b", "more": 1}, []):
        assert refusal(anna.post("/session", body)) == (400, "invalid_request"), body
    assert PASSWORD not in service.log() and anna.cookie.split("=")[1] not in service.log()


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Tessera-Console": None},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
    ],
)
def test_other_sites_can_change_nothing(service, anna, headers):
    body = {"slug": "forged", "display_name": "Forged", "plan": "pro"}
    assert refusal(anna.post("/accounts", body, headers=headers)) == (403, "cross_site_request")
    assert refusal(anna.post("/session", {"name": "anna", "password": PASSWORD}, headers=headers))[0] == 403
    assert anna.get("/accounts?q=forged").json()["accounts"] == []
    # A form can't send JSON, and no preflight is granted.
    assert anna.post("/accounts", body, headers={"Content-Type": "text/plain"}).status == 400
    assert "Access-Control-Allow-Origin" not in anna.request("OPTIONS", "/accounts").headers
    own = {"Origin": f"http://127.0.0.1:{service.port}", "Sec-Fetch-Site": "same-origin"}
    assert anna.put("/password", {"current_password": "x", "new_password": "y" * 12}, headers=own).status == 401


def test_sessions_can_be_seen_and_ended(service, anna):
    make_operator(service, "carl")
    first, second = Operator(service, "carl"), Operator(service, "carl", headers={"User-Agent": "a phone"})
    listed = first.get("/sessions").json()["sessions"]
    assert [(one["user_agent"], one["current"]) for one in listed] == [("a phone", False), ("", True)]
    assert refusal(first.delete("/sessions/" + anna.get("/session").json()["id"])) == (404, "not_found")
    assert first.delete("/sessions/" + listed[0]["id"]).status == 204
    assert second.get("/session").status == 401 and first.get("/session").status == 200
    out = first.delete("/session")
    assert out.status == 204 and "Max-Age=0" in out.headers["Set-Cookie"]
    assert first.get("/session").status == 401
    third, fourth = Operator(service, "carl"), Operator(service, "carl")
    assert third.delete("/sessions").status == 204
    assert fourth.get("/session").status == 401
    # From the command line, too, and at once.
    fifth = Operator(service, "carl")
    assert [one["operator"] for one in service.admin("operator", "sessions", "carl")] == ["carl"]
    assert service.admin("operator", "revoke", "carl")["sessions"] == 1
    assert fifth.get("/session").status == 401
    actions = {e["action"] for e in trail(anna, subject="carl")}
    assert actions == {"operator.create", "operator.sign_in", "operator.sign_out", "operator.revoke"}
    assert trail(anna, subject="carl", action="operator.sign_out")[0]["actor"] == "operator carl"


def test_passwords_change_and_operators_go(service, anna):
    make_operator(service, "dora")
    here, there = Operator(service, "dora"), Operator(service, "dora")
    change = {"current_password": PASSWORD, "new_password": "another password"}
    assert refusal(here.put("/password", {**change, "current_password": "wrong"})) == (401, "invalid_credentials")
    assert refusal(here.put("/password", {**change, "new_password": "short"})) == (400, "invalid_request")
    assert here.put("/password", change).status == 204
    assert here.get("/session").status == 200 and there.get("/session").status == 401
    assert Operator(service, "dora").signed_in.status == 401
    make_operator(service, "dora", "a third password", command="password")
    assert here.get("/session").status == 401
    last = Operator(service, "dora", "a third password")
    assert "dora" in [one["name"] for one in service.admin("operator", "list")]
    service.admin("operator", "remove", "dora")
    assert last.get("/session").status == 401 and Operator(service, "dora", "a third password").signed_in.status == 401
    for name, password, code in (("dora", "short", 2), ("No Name", PASSWORD, 2), ("anna", PASSWORD, 4)):
        assert make_operator(service, name, password, check=False).returncode == code
    made = service.admin("operator", "create", "eve", "--generate")
    assert Operator(service, "eve", made["password"]).signed_in.status == 201


def test_accounts_and_their_trail(service, anna):
    made = anna.post("/accounts", {"slug": "studio", "display_name": "The Studio", "plan": "starter"})
    assert made.status == 201 and made.json()["state"] == "active", made
    path = "/accounts/" + made.json()["id"]
    assert refusal(anna.post("/accounts", {"slug": "studio", "display_name": "x", "plan": "pro"})) == (409, "conflict")
    for body in ({"slug": "No!", "display_name": "x", "plan": "pro"}, {"slug": "x", "display_name": "", "plan": "pro"},
                 {"slug": "x", "display_name": "x", "plan": "gold"}):  # fmt: skip
        assert refusal(anna.post("/accounts", body)) == (400, "invalid_request")
    assert [one["slug"] for one in anna.get("/accounts?q=THE%20stud").json()["accounts"]] == ["studio"]
    assert [one["slug"] for one in anna.get("/accounts?q=" + made.json()["id"]).json()["accounts"]] == ["studio"]
    page = anna.get("/accounts?limit=1").json()
    following = anna.get("/accounts?limit=1&cursor=" + page["next_cursor"]).json()
    assert following["accounts"][0]["id"] != page["accounts"][0]["id"]
    for query in ("limit=0", "state=tired", "unknown=1", "cursor=x"):
        assert anna.get("/accounts?" + query).status == 400, query

    key = anna.post(path + "/keys", {"name": "site", "expires_at": "2100-01-01T00:00:00Z", "networks": ["127.0.0.0/8"]})
    assert key.status == 201 and re.fullmatch(r"tsr_\w{40}", key.json()["api_key"]), key
    assert service.get("/v1/account", key=key.json()["api_key"]).json()["account"]["slug"] == "studio"
    assert "api_key" not in anna.get(path + "/keys").json()["keys"][0]
    for body in ({}, {"name": "x", "role_code": "king"}, {"name": "x", "expires_at": "2001-01-01T00:00:00Z"},
                 {"name": "x", "networks": ["all"]}, {"name": "x", "expires_at": "soon"}):  # fmt: skip
        assert refusal(anna.post(path + "/keys", body)) == (400, "invalid_request"), body

    assert anna.post(path + "/suspend").json()["state"] == "suspended"
    wait_until(lambda: service.get("/v1/account", key=key.json()["api_key"]).status == 401, "the key to be refused")
    assert anna.get("/accounts?state=suspended").json()["accounts"][0]["slug"] == "studio"
    assert anna.post(path + "/resume").json()["state"] == "active"
    assert anna.put(path + "/plan", {"plan": "pro"}).json()["plan"] == "pro"
    assert anna.put(path + "/entitlements/cdn_delivery", {"enabled": True}).json()["enabled"] is True
    assert refusal(anna.put(path + "/entitlements/wings", {"enabled": True})) == (400, "invalid_request")
    details = anna.get(path).json()
    assert details["entitlements"][0]["enabled"] and details["keys"] == {"active": 1, "total": 1}
    revoked = anna.post(f"/keys/{key.json()['id']}/revoke").json()
    assert revoked["state"] == "revoked" and revoked["account"] == "studio"

    assert refusal(anna.post(path + "/erase", {"confirm": "studios"})) == (400, "invalid_request")
    erased = anna.post(path + "/erase", {"confirm": "studio"})
    assert erased.status == 202 and erased.json()["state"] in ("being_erased", "erased")
    wait_until(lambda: anna.get(path).json()["state"] == "erased", "the account to be erased")
    assert refusal(anna.post(path + "/suspend")) == (409, "conflict")
    assert refusal(anna.get("/accounts/" + "0" * 8)) == (400, "invalid_id")
    assert refusal(anna.get("/accounts/00000000-0000-4000-8000-000000000000")) == (404, "not_found")

    done = [e["action"] for e in trail(anna, account_id=made.json()["id"], actor="operator anna")]
    assert done[::-1] == ["account.create", "key.create", "account.suspend", "account.resume", "account.plan", "entitlement.set",
                          "key.revoke", "account.erase"]  # fmt: skip


def stray_blobs(service, account_id, count):
    """Files under the account's names that no row knows of, as a lost attempt leaves them."""
    names = [f"{account_id}/lost-{number}" for number in range(count)]
    paths = []
    for name in names:
        folder = service.data_dir / "blobs" / "assets" / hashlib.sha256(name.encode()).hexdigest()[:2]
        folder.mkdir(parents=True, exist_ok=True)
        paths.append(folder / name.replace("/", "+"))
        paths[-1].touch()
    return paths


def test_an_erasure_that_a_kill_interrupts_goes_on(make_service):
    service = make_service(settings={"rate_limits.enabled": "false"})
    make_operator(service)
    anna = Operator(service)
    account = anna.post("/accounts", {"slug": "leaver", "display_name": "Leaver", "plan": "pro"}).json()["id"]
    upload(service, service.new_key("leaver"), png(64, 64))
    blobs = stray_blobs(service, account, 20_000)
    assert anna.post(f"/accounts/{account}/erase", {"confirm": "leaver"}).status == 202
    service.kill()
    left = sum(path.exists() for path in blobs)
    assert left > 0, "killed in the middle"
    service.start()
    wait_until(lambda: Operator(service).get(f"/accounts/{account}").json()["state"] == "erased", "the erasure to go on")
    assert not any(path.exists() for path in blobs)
    assert not list((service.data_dir / "blobs" / "assets").glob(f"*/{account}*"))


def test_what_goes_on(service, key, anna):
    asset = upload(service, key, png(64, 64)).json()["id"]
    job = service.post("/v1/jobs", {"asset_id": asset, "operation": "resize", "options": {"width": 8}}, key=key).json()
    wait_for_job(service, key, job["id"])
    overview = wait_until(
        lambda: (seen := anna.get("/overview").json())["nodes"] and seen["today"]["jobs"] and seen, "the node and its job"
    )
    node = overview["nodes"][0]
    assert node["this_node"] and node["alive"] and node["role"] == "both" and node["slots"] >= 1
    assert node["engines"]["alive"] >= 1 and node["disks"][0]["free_bytes"] > 0
    assert overview["queue"]["queued"] == 0 and overview["storage"]["assets"] >= 1 and overview["database"] == "sqlite"
    assert overview["today"]["jobs"][0]["operation"] == "resize" and overview["today"]["uploaded_bytes"] > 0
    usage = anna.get("/usage?q=tester").json()["accounts"]
    assert [(one["slug"], one["processing_credits"]["used"], one["storage"]["assets"]) for one in usage] == [("tester", 1, 1)]
    by_day = anna.get(f"/accounts/{usage[0]['id']}/usage?days=2").json()
    assert len(by_day["days"]) == 2 and by_day["totals"]["jobs"][0]["succeeded"] == 1
    plans = {one["code"]: one["accounts"] for one in anna.get("/plans").json()["plans"]}
    assert set(plans) == {"starter", "pro", "unlimited"} and plans["unlimited"] >= 1
    assert "runtime" in [one["code"] for one in anna.get("/roles").json()["roles"]]
    first = anna.get("/audit?limit=1").json()
    second = anna.get("/audit?limit=1&cursor=" + first["next_cursor"]).json()
    assert second["entries"][0]["sequence"] < first["entries"][0]["sequence"]


def test_webhooks(service, anna):
    account = service.admin("account", "create", "--slug", "told", "--name", "Told", "--plan", "pro")["id"]
    endpoint = service.admin("webhook", "add", "told", "https://hooks.example.org/x")
    listed = anna.get("/webhook-endpoints?account_id=" + account)
    assert [one["id"] for one in listed.json()["endpoints"]] == [endpoint["id"]]
    assert endpoint["secret"].encode() not in listed.body
    assert anna.post(f"/webhook-endpoints/{endpoint['id']}/disable").json()["status"] == "disabled"
    assert anna.post(f"/webhook-endpoints/{endpoint['id']}/enable").json()["status"] == "active"
    subprocess.run([str(service.binary), "admin", "--data-dir", str(service.data_dir), "webhook", "test", endpoint["id"],
                    "--wait", "0s"], capture_output=True, timeout=PATIENCE)  # fmt: skip
    page = anna.get(f"/webhook-deliveries?account_id={account}&limit=1").json()
    delivery = page["deliveries"][0]
    assert delivery["endpoint_id"] == endpoint["id"] and page["next_cursor"] is None
    assert anna.get("/webhook-deliveries/" + delivery["id"]).json()["log"] is not None
    assert anna.post(f"/webhook-deliveries/{delivery['id']}/replay").json()["state"] == "pending"
    assert anna.get("/webhook-deliveries?state=lost").status == 400
    anna.post(f"/webhook-endpoints/{endpoint['id']}/disable")
    assert refusal(anna.post(f"/webhook-deliveries/{delivery['id']}/replay")) == (409, "conflict")
    assert trail(anna, action="webhook.replay")[0]["actor"] == "operator anna"


def test_the_document_tells_of_every_route(service, anna):
    document = service.get("/console/api/openapi.json").json()
    assert document["components"]["securitySchemes"].keys() == {"session"}
    assert "/console/api/accounts/{id}/erase" in document["paths"] and "/v1/jobs" not in document["paths"]
    assert not any(path.startswith("/console") for path in service.get("/openapi.json").json()["paths"])
    sign_in = document["paths"]["/console/api/session"]["post"]
    assert sign_in["security"] == [] and {"201", "401", "403", "429"} <= sign_in["responses"].keys()


def test_secrets_are_never_shown(make_service):
    service = make_service(
        settings={"server.metrics_token": "a-very-secret-token", "rate_limits.enabled": "false"}, arguments=["--demo"]
    )
    password = re.search(r"operator +demo, password (\w+)", service.output())[1]
    demo = Operator(service, "demo", password)
    answer = demo.get("/configuration")
    settings = {one["key"]: one for one in answer.json()["settings"]}
    assert settings["server.metrics_token"]["value"] == "(hidden)" and settings["server.metrics_token"]["secret"]
    assert settings["rate_limits.enabled"]["value"] == "false" and settings["rate_limits.enabled"]["default"] == "true"
    assert "a-very-secret-token" not in answer.body.decode()
    database = (service.data_dir / "tessera.db").read_bytes() + (service.data_dir / "tessera.db-wal").read_bytes()
    assert password.encode() not in database and demo.cookie.split("=")[1].encode() not in database
    # What is stored is scrypt, as another library has it.
    stored = sqlite3.connect(service.data_dir / "tessera.db").execute("SELECT password FROM operators").fetchone()[0]
    name, log2_n, r, p, salt, digest = stored.split("$")
    cost = {"n": 2 ** int(log2_n), "r": int(r), "p": int(p), "maxmem": 1 << 28, "dklen": 32}
    assert name == "scrypt" and hashlib.scrypt(password.encode(), salt=bytes.fromhex(salt), **cost).hex() == digest
    # The next start makes no other.
    service.restart()
    assert service.output().count(", password ") == 1


def test_on_an_address_of_its_own(guarded, desk):
    assert refusal(guarded.get("/console/api/session")) == (404, "not_found")
    assert desk.request("GET", "/console/api/session").status == 401
    assert desk.request("GET", "/v1/plans").status == 404
    elsewhere = {"X-Forwarded-For": "198.51.100.1", "X-Forwarded-Proto": "https"}
    operator = Operator(desk, headers=elsewhere)
    assert "; Secure" in operator.signed_in.headers["Set-Cookie"]
    assert operator.signed_in.json()["address"] == "198.51.100.1"


def test_a_session_ends_in_time(guarded, desk):
    operator = Operator(desk, headers={"X-Forwarded-For": "198.51.100.2"})
    assert operator.get("/session").status == 200
    wait_until(lambda: operator.get("/session").status == 401, "the session to expire")
    assert refusal(operator.get("/accounts")) == (401, "not_signed_in")


def test_guessing_is_limited_and_locks_nobody_out(guarded, desk):
    def attempt(address, password="wrong password", name="anna"):
        return Operator(desk, name, password, headers={"X-Forwarded-For": address}).signed_in

    for _ in range(3):
        assert attempt("203.0.113.1").status == 401
    limited = attempt("203.0.113.1", PASSWORD)
    assert refusal(limited) == (429, "rate_limited") and int(limited.headers["Retry-After"]) >= 1
    # The name is worn out from many addresses: each has one try, and the operator is let in with hers.
    for last in range(2, 8):
        assert attempt(f"203.0.113.{last}").status == 401
    assert refusal(attempt("203.0.113.7")) == (429, "rate_limited")
    assert attempt("192.0.2.200", PASSWORD).status == 201


def test_no_console_where_it_is_switched_off(make_service):
    service = make_service(settings={"console.enabled": "false"})
    assert refusal(service.get("/console/api/session")) == (404, "not_found")
    assert refusal(service.get("/console/api/openapi.json")) == (404, "not_found")
