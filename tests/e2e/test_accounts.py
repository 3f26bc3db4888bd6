"""Keys, accounts, plans and rate limits over HTTP."""

import concurrent.futures
import time

import pytest

from service import upload, wait_until

LIMIT_HEADERS = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")


def account_of(service, key):
    answer = service.get("/v1/account", key=key)
    assert answer.status == 200, answer
    return answer.json()


def test_the_account_context_has_every_field_of_the_interface(service, key):
    context = account_of(service, key)
    assert set(context) == {
        "account", "subject_type", "api_key", "permissions", "plan", "quotas", "effective_limits", "usage", "features", "entitlements",
    }
    assert context["account"]["slug"] == "tester" and context["account"]["display_name"] == "Tester"
    assert context["subject_type"] == "api_key"
    assert set(context["api_key"]) == {"id", "name", "role_code"} and context["api_key"]["role_code"] == "runtime"
    assert "account:read" in context["permissions"]
    assert context["plan"] == {"code": "unlimited", "display_name": "Unlimited", "status": "active", "access_source": "admin"}
    assert context["quotas"]["processing_credits_monthly"] == {"limit": 1_000_000_000, "interval_seconds": 30 * 86400}
    assert set(context["effective_limits"]) == {"grid_megapixels", "tile_estimate", "storage_estimate_bytes", "processing_credits"}
    assert all(isinstance(v, int) and v > 0 for v in context["effective_limits"].values())
    assert context["usage"] == {
        "processing_credits": {"used": 0, "remaining": 1_000_000_000, "limit": 1_000_000_000},
        "cdn_delivery_bytes": {"used": 0},
    }
    assert context["features"] == {"asset_pictures": False, "cdn_delivery": True}
    entitlement = context["entitlements"]["cdn_delivery"]
    assert set(entitlement) == {
        "enabled", "feature_code", "status", "source", "provider", "add_on_code", "cancel_at_period_end",
    }
    assert entitlement["enabled"] is True and entitlement["status"] == "active" and entitlement["cancel_at_period_end"] is False


def test_plan_limits_appear_as_quotas(service):
    context = account_of(service, service.new_account("limited", plan="starter"))
    assert context["quotas"]["max_grid_render_megapixels"] == {"limit": 256}
    assert context["effective_limits"]["grid_megapixels"] == 256
    assert context["features"] == {"asset_pictures": False, "cdn_delivery": False}
    assert context["entitlements"]["cdn_delivery"]["enabled"] is False


def test_public_plans_need_no_key_and_hide_the_others(service):
    answer = service.get("/v1/plans")
    assert answer.status == 200
    plans = answer.json()["plans"]
    assert [p["code"] for p in plans] == ["starter", "pro"]
    assert set(plans[0]) == {
        "code", "display_name", "description", "status", "is_public", "billing_amount_minor", "billing_interval",
        "included_processing_credits", "limits",
    }
    assert plans[0]["limits"]["max_upload_bytes"] == 20 * 2**20 and plans[1]["limits"]["max_upload_bytes"] == 50 * 2**20
    assert len(plans[0]["limits"]) == 12


def test_both_headers_carry_a_key(service, key):
    assert service.get("/v1/account", headers={"Authorization": f"Bearer {key}"}).status == 200
    assert service.get("/v1/account", headers={"Authorization": f"bearer {key}"}).status == 200
    assert service.get("/v1/account", headers={"X-API-Key": key}).status == 200
    assert service.get("/v1/account", headers={"x-api-key": f" {key} "}).status == 200


@pytest.mark.parametrize(
    "headers",
    [{}, {"Authorization": ""}, {"Authorization": "Bearer"}, {"Authorization": "Bearer "}, {"Authorization": "Basic dXNlcjpwYXNz"}, {"X-API-Key": ""}],
)
def test_no_usable_key_is_a_missing_key(service, headers):
    answer = service.get("/v1/account", headers=headers)
    assert answer.status == 401
    assert answer.json()["error"] == "missing api key" and answer.json()["code"] == "missing_api_key"
    assert "WWW-Authenticate" in answer.headers


def test_keys_of_every_wrong_shape_are_invalid(service, key):
    wrong = [
        "x", "tsr_", key[:-1], key + "a", key.upper(), key.lower(), "TSR_" + key[4:], key[4:], key[::-1], key[:-1] + "!", key[:10] + "é" + key[11:],
        "tsr_" + "a" * 40, "tsr_" + "0" * 40, "tsr_" + "a" * 4000, f"{key},{key}", f'"{key}"', "null", "' OR 1=1 --", "%00", "../../etc/passwd",
    ]
    for text in wrong:
        for headers in ({"Authorization": b"Bearer " + text.encode()}, {"X-API-Key": text.encode()}):
            answer = service.get("/v1/account", headers=headers)
            assert answer.status == 401, (text, answer)
            assert answer.json()["error"] == "invalid api key" and answer.json()["code"] == "invalid_api_key"
    assert service.get("/v1/account", key=key).status == 200


def test_a_role_without_the_permission_is_refused(service):
    service.admin("account", "create", "--slug", "roles", "--name", "Roles", "--plan", "pro")
    tiles_only = service.new_key("roles", role="tile_reader")
    answer = service.get("/v1/account", key=tiles_only)
    assert answer.status == 403 and answer.json()["code"] == "permission_denied" and answer.json()["error"] == "permission denied"


@pytest.mark.parametrize(
    "role,may",
    [
        ("runtime", {"account", "upload", "submit", "job", "artifact", "tile"}),
        ("reader", {"account", "job", "artifact", "tile"}),
        ("tile_reader", {"tile"}),
        ("uploader", {"upload"}),
        ("submitter", {"submit", "job"}),
        ("artifact_reader", {"job", "artifact"}),
        ("account_reader", {"account"}),
    ],
)
def test_a_role_may_do_what_it_is_for_and_nothing_else(service, key, role, may):
    of_role = service.new_key("tester", role=role)
    nothing = "00000000-0000-7000-8000-000000000000"
    asked = {
        "account": service.get("/v1/account", key=of_role),
        "upload": upload(service, of_role, b"no picture"),
        "submit": service.post("/v1/jobs", body={}, key=of_role),
        "job": service.get(f"/v1/jobs/{nothing}", key=of_role),
        "artifact": service.get(f"/v1/artifacts/{nothing}", key=of_role),
        "tile": service.get(f"/v1/tilesets/{nothing}/xyz/0/0/0.png", key=of_role),
    }
    assert {name for name, answer in asked.items() if answer.status != 403} == may
    assert {answer.json()["code"] for answer in asked.values() if answer.status == 403} <= {"permission_denied"}


def test_a_key_is_refused_when_it_has_ended_and_the_log_says_why(service, key):
    made = service.admin("key", "create", "--account", "tester", "--name", "short", "--expires", "400ms")
    assert made["expires_at"] > made["created_at"]
    wait_until(lambda: service.get("/v1/account", key=made["api_key"]).status == 401, "the key to end", patience=30)
    answer = service.get("/v1/account", key=made["api_key"])
    assert (answer.json()["error"], answer.json()["code"]) == ("invalid api key", "invalid_api_key")
    unknown = service.get("/v1/account", key="tsr_nobody")
    assert answer.json() | {"request_id": ""} == unknown.json() | {"request_id": ""}, "only the log tells why"
    service.wait_for_event("key_refused", detail=f"key {made['id']} has expired", client="127.0.0.1")
    assert service.get("/v1/account", key=key).status == 200


def test_a_key_is_refused_outside_its_networks_and_the_log_says_why(make_service):
    service = make_service(settings={"rate_limits.enabled": "false", "server.trusted_proxies": "127.0.0.0/8"})
    service.new_account("fenced")
    line = ("key", "create", "--account", "fenced", "--name", "n", "--network", "192.0.2.0/24,2001:db8::/32", "--network", "198.51.100.7")
    made = service.admin(*line)
    assert made["networks"] == ["192.0.2.0/24", "2001:db8::/32", "198.51.100.7/32"]
    statuses = {
        client: service.get("/v1/account", key=made["api_key"], headers={"X-Forwarded-For": client}).status
        for client in ("192.0.2.9", "192.0.3.9", "2001:db8::7", "2001:db9::7", "198.51.100.7", "198.51.100.8")
    }
    assert statuses == {
        "192.0.2.9": 200, "192.0.3.9": 401, "2001:db8::7": 200, "2001:db9::7": 401, "198.51.100.7": 200, "198.51.100.8": 401,
    }
    service.wait_for_event("key_refused", detail=f"key {made['id']} is not for use from this address", client="192.0.3.9")


def test_the_last_use_of_a_key_is_noted(make_service):
    service = make_service()
    used, unused = service.new_account("busy"), service.new_key("busy", name="spare")
    assert unused != used
    assert service.get("/v1/account", key=used).status == 200
    service.stop()
    keys = {k["name"]: k for k in service.admin("key", "list", "--account", "busy")}
    assert keys["spare"]["last_used_at"] is None
    assert keys["test"]["created_at"] < keys["test"]["last_used_at"]


def test_revocation_and_other_changes_take_effect_while_running(service):
    key = service.new_account("changing", plan="starter")
    assert account_of(service, key)["plan"]["code"] == "starter"

    def within_seconds(condition, what):
        begun = time.monotonic()
        wait_until(condition, what, patience=30)
        return time.monotonic() - begun

    service.admin("entitlement", "set", "--account", "changing", "--feature", "cdn_delivery", "--enabled", "true")
    within_seconds(lambda: account_of(service, key)["features"]["cdn_delivery"], "the entitlement")
    service.admin("account", "plan", "--account", "changing", "--plan", "pro")
    within_seconds(lambda: account_of(service, key)["plan"]["code"] == "pro", "the plan")
    key_id = account_of(service, key)["api_key"]["id"]
    service.admin("key", "revoke", key_id)
    taken = within_seconds(lambda: service.get("/v1/account", key=key).status == 401, "the revocation")
    assert taken < 20, "a revoked key went on working"
    assert service.get("/v1/account", key=key).json()["error"] == "invalid api key"


def test_an_applied_plans_file_shows_at_once(make_service, folder):
    service = make_service()
    assert len(service.get("/v1/plans").json()["plans"]) == 2
    template = service.admin("plan", "template", as_json=False)
    (folder / "plans.toml").write_text(template.replace("is_public = false", "is_public = true"))
    service.admin("plan", "apply", folder / "plans.toml")
    wait_until(lambda: len(service.get("/v1/plans").json()["plans"]) == 3, "the new public plan", patience=30)


# --- rate limits ---


def test_the_limits_of_the_interface_hold_exactly(make_service):
    service = make_service(settings={})
    key = service.new_account("limits")
    for path, count, credential in (("/v1/plans", 120, None), ("/v1/account", 240, key)):
        for i in range(count):
            answer = service.get(path, key=credential)
            assert answer.status == 200, (i, answer)
            assert answer.headers["RateLimit-Limit"] == str(count)
            assert answer.headers["RateLimit-Remaining"] == str(count - 1 - i)
            assert 1 <= int(answer.headers["RateLimit-Reset"]) <= 60
            assert answer.headers["RateLimit-Policy"] == f'"{path[4:]}";q={count};w=60'
            assert answer.headers["RateLimit"].startswith(f'"{path[4:]}";r={count - 1 - i};t=')
        refused = service.get(path, key=credential)
        assert refused.status == 429 and refused.json()["code"] == "rate_limited"
        assert 1 <= int(refused.headers["Retry-After"]) <= 60
        assert refused.headers["RateLimit-Remaining"] == "0"


def test_accounts_are_limited_apart_and_keys_of_one_account_together(make_service):
    service = make_service(settings={"rate_limits.account": 2})
    one, other = service.new_account("one"), service.new_account("other")
    second_key = service.new_key("one")
    assert [service.get("/v1/account", key=k).status for k in (one, second_key, one, second_key, other)] == [200, 200, 429, 429, 200]


def test_concurrent_requests_are_counted_exactly(make_service):
    service = make_service(settings={"rate_limits.account": 20})
    key = service.new_account("many")
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        statuses = list(pool.map(lambda _: service.get("/v1/account", key=key).status, range(60)))
    assert statuses.count(200) == 20 and statuses.count(429) == 40


def test_a_window_closes_by_itself(make_service):
    service = make_service(settings={"rate_limits.account": 1, "rate_limits.window": "1s"})
    key = service.new_account("patient")
    assert service.get("/v1/account", key=key).status == 200
    wait_until(lambda: service.get("/v1/account", key=key).status == 200, "the next window", patience=30)


def test_failed_authentication_is_limited_per_address_and_known_keys_go_on(make_service):
    service = make_service(settings={"rate_limits.failed_authentication": 5, "rate_limits.account": 0})
    key = service.new_account("honest")
    assert service.get("/v1/account", key=key).status == 200
    statuses = [service.get("/v1/account", key="tsr_" + str(i).zfill(40)).status for i in range(8)]
    assert statuses == [401] * 5 + [429] * 3
    assert service.get("/v1/account", key=key).status == 200
    # Also when the key has to be read again, because something about its account has changed.
    service.admin("account", "plan", "--account", "honest", "--plan", "pro")
    wait_until(lambda: account_of(service, key)["plan"]["code"] == "pro", "the plan")
    assert service.get("/v1/account", key="tsr_" + "9" * 40).status == 429
    # And keys that nobody has used yet: made before, or a moment ago.
    unused = service.new_key("honest")
    wait_until(lambda: service.get("/v1/account", key=unused).status == 200, "the new key")
    service.restart()
    assert [service.get("/v1/account", key="tsr_" + str(i).zfill(40)).status for i in range(8)][-1] == 429
    assert service.get("/v1/account", key=unused).status == 200
    assert service.get("/v1/account", key=key).status == 200


def test_only_a_trusted_proxy_may_say_who_the_client_is(make_service):
    trusting = make_service("trusting", settings={"rate_limits.plans": 1, "server.trusted_proxies": "127.0.0.0/8"})
    assert trusting.get("/v1/plans", headers={"X-Forwarded-For": "192.0.2.1"}).status == 200
    assert trusting.get("/v1/plans", headers={"X-Forwarded-For": "192.0.2.1"}).status == 429
    assert trusting.get("/v1/plans", headers={"X-Forwarded-For": "192.0.2.2"}).status == 200
    assert trusting.get("/v1/plans", headers={"X-Forwarded-For": "203.0.113.9, 192.0.2.1"}).status == 429
    wary = make_service("wary", settings={"rate_limits.plans": 1})
    assert wary.get("/v1/plans", headers={"X-Forwarded-For": "192.0.2.1"}).status == 200
    assert wary.get("/v1/plans", headers={"X-Forwarded-For": "192.0.2.2"}).status == 429


def test_limits_can_be_switched_off(service, key):
    for _ in range(300):
        answer = service.get("/v1/account", key=key)
        assert answer.status == 200
        assert not any(name in answer.headers for name in LIMIT_HEADERS)
