"""`tessera admin` and the other commands, as people and scripts use them."""

import json
import os
import pwd
import re
import stat
import subprocess

import pytest

from service import BINARY, PATIENCE


@pytest.fixture
def tessera(folder):
    """Runs the binary on a data folder of the test's own; returns what it did."""

    def run(*arguments, environment=None, data_dir=folder / "data"):
        line = [str(BINARY), *[str(a) for a in arguments]]
        if data_dir is not None:
            line += ["--data-dir", str(data_dir)]
        return subprocess.run(
            line, capture_output=True, text=True, timeout=PATIENCE, env={**os.environ, **(environment or {})}, cwd=folder
        )

    good(run("admin", "init"))
    return run


def good(done):
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def good_json(done):
    return json.loads(good(done))


def make_account(tessera, slug="shop", plan="pro"):
    return good_json(tessera("admin", "account", "create", "--slug", slug, "--name", "The Shop", "--plan", plan, "--json"))


def test_a_fresh_folder_has_the_built_in_plans(tessera):
    plans = good_json(tessera("admin", "plan", "list", "--json"))
    assert [(p["code"], p["is_public"], p["limits"]["max_upload_bytes"]) for p in plans[:2]] == [
        ("starter", True, 20 * 2**20),
        ("pro", True, 50 * 2**20),
    ]
    assert plans[2]["code"] == "unlimited" and not plans[2]["is_public"]
    assert "max_in_flight_jobs" not in plans[2]["limits"]


def test_an_account_and_its_keys(tessera):
    account = make_account(tessera)
    assert account["slug"] == "shop" and account["plan"] == "pro"

    key = good_json(tessera("admin", "key", "create", "--account", "shop", "--name", "web", "--json"))
    assert re.fullmatch(r"tsr_[0-9A-Za-z]{40}", key["api_key"])
    assert key["role_code"] == "runtime" and key["account_id"] == account["id"]

    listed = good_json(tessera("admin", "key", "list", "--json"))
    assert [k["id"] for k in listed] == [key["id"]]
    assert "api_key" not in listed[0] and listed[0]["revoked_at"] is None

    revoked = good_json(tessera("admin", "key", "revoke", key["id"], "--json"))
    assert revoked["revoked_at"]
    again = good_json(tessera("admin", "key", "revoke", key["id"], "--json"))
    assert again["revoked_at"] == revoked["revoked_at"]


def test_a_key_is_stored_as_a_hash_only(tessera, folder):
    make_account(tessera)
    key = good_json(tessera("admin", "key", "create", "--account", "shop", "--name", "web", "--json"))["api_key"]
    stored = b"".join(f.read_bytes() for f in (folder / "data").rglob("*") if f.is_file())
    assert b"shop" in stored
    assert key.encode() not in stored and key[4:].encode() not in stored


def test_tables_are_for_people(tessera):
    make_account(tessera)
    table = good(tessera("admin", "account", "list"))
    assert table.splitlines()[0].split() == ["SLUG", "NAME", "PLAN", "STATE", "SINCE", "ID"]
    assert "The Shop" in table
    text = good(tessera("admin", "key", "create", "--account", "shop", "--name", "web"))
    assert "tsr_" in text and "once" in text
    good(tessera("admin", "key", "create", "--account", "shop", "--name", "ends", "--expires", "2199-01-31", "--network", "10.0.0.0/8"))
    table = good(tessera("admin", "key", "list", "--account", "shop"))
    for words in ("LAST USED", "NETWORKS", "active", "active until 2199-01-31T00:00:00.000Z", "10.0.0.0/8", "never", "any"):
        assert words in table
    assert "credits used" in good(tessera("admin", "usage", "--account", "shop"))


def test_options_may_stand_before_or_after_the_commands(folder):
    data = str(folder / "data")
    subprocess.run([str(BINARY), "admin", "init", "--data-dir", data], check=True, capture_output=True)
    for line in (
        ["--data-dir", data, "admin", "--json", "account", "list"],
        ["admin", "--data-dir", data, "account", "--json", "list"],
        ["admin", "account", "list", "--json", "--data-dir", data, "--set", "log.level=debug"],
        ["admin", "--set", "log.level=debug", "account", "list", "--json", f"--data-dir={data}"],
    ):
        done = subprocess.run([str(BINARY), *line], capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, (line, done.stderr)
        assert json.loads(done.stdout) == []


def test_mistakes_have_their_own_exit_codes_and_say_what_to_do(tessera):
    make_account(tessera)
    expectations = [
        (["admin", "account", "create", "--slug", "shop", "--name", "x", "--plan", "pro"], 4, "already"),
        (["admin", "account", "create", "--slug", "new", "--name", "x", "--plan", "gold"], 3, "starter, pro, unlimited"),
        (["admin", "account", "create", "--slug", "Not A Slug", "--name", "x", "--plan", "pro"], 2, "a-z"),
        (["admin", "account", "create", "--slug", "x", "--name", "a\nb", "--plan", "pro"], 2, "--name"),
        (["admin", "account", "create", "--slug", "x"], 2, "--name"),
        (["admin", "key", "create", "--account", "nobody", "--name", "x"], 3, "account list"),
        (["admin", "key", "create", "--account", "shop", "--name", "x", "--role", "root"], 2, "runtime, reader"),
        (["admin", "key", "create", "--account", "shop", "--name", "x", "--expires", "soon"], 2, "such as 90d"),
        (["admin", "key", "create", "--account", "shop", "--name", "x", "--expires", "2020-01-01"], 2, "in the past"),
        (["admin", "key", "create", "--account", "shop", "--name", "x", "--network", "10.0.0.0/33"], 2, "0 to 32"),
        (["admin", "key", "revoke", "not-an-id"], 2, "no key id"),
        (["admin", "key", "revoke", "00000000-0000-7000-8000-000000000000"], 3, "no key"),
        (["admin", "entitlement", "set", "--account", "shop", "--feature", "flying", "--enabled", "true"], 2, "cdn_delivery"),
        (["admin", "entitlement", "set", "--account", "shop", "--feature", "cdn_delivery", "--enabled", "maybe"], 2, "--enabled"),
        (["admin", "tileset", "delete", "00000000-0000-7000-8000-000000000000"], 3, "no tileset"),
        (["admin", "usage", "--account", "nobody"], 3, "nobody"),
        (["admin", "plan", "apply", "nowhere.toml"], 1, "nowhere.toml"),
        (["admin", "acount", "list"], 2, "did you mean account?"),
        (["serv"], 2, "did you mean serve?"),
        ([], 2, "subcommand"),
        (["admin", "account", "list", "--what"], 2, "--what"),
        (["serve", "--set", "rate_limit.enabled=false"], 2, "did you mean rate_limits.enabled?"),
        (["serve", "--set", "nonsense"], 2, "key=value"),
        (["serve", "--listen", "localhost"], 2, "server.listen"),
        (["serve", "--config", "nowhere.toml"], 2, "nowhere.toml"),
    ]
    for line, code, said in expectations:
        done = tessera(*line)
        assert done.returncode == code, (line, done)
        assert said in done.stderr, (line, done)
        assert done.stdout == "", (line, done)


def test_plans_can_be_replaced_and_retired(tessera, folder):
    make_account(tessera, plan="pro")
    template = good(tessera("admin", "plan", "template"))
    (folder / "plans.toml").write_text(template.replace('code = "pro"', 'code = "gold"').replace('"50MiB"', '"60MiB"'))
    plans = {p["code"]: p for p in good_json(tessera("admin", "plan", "apply", folder / "plans.toml", "--json"))}
    assert plans["gold"]["limits"]["max_upload_bytes"] == 60 * 2**20
    assert plans["pro"]["status"] == "retired" and not plans["pro"]["is_public"]
    moved = good_json(tessera("admin", "account", "plan", "--account", "shop", "--plan", "gold", "--json"))
    assert moved["plan"] == "gold"


def test_a_bad_plans_file_changes_nothing(tessera, folder):
    before = good(tessera("admin", "plan", "list", "--json"))
    (folder / "plans.toml").write_text('[[plan]]\ncode = "x"\ndisplay_name = "X"\nmax_uploads = 3\n')
    done = tessera("admin", "plan", "apply", folder / "plans.toml")
    assert done.returncode == 1 and "plans.toml:1" in done.stderr
    assert good(tessera("admin", "plan", "list", "--json")) == before


def test_secrets_rotate_and_stay_private(tessera, folder):
    first = good_json(tessera("admin", "secret", "list", "--json"))
    assert len(first) == 1 and first[0]["signs"]
    file = folder / "data" / "signing-secrets"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    second = good_json(tessera("admin", "secret", "rotate", "--json"))
    assert len(second) == 2
    assert first[0]["fingerprint"] in [s["fingerprint"] for s in second]
    only = good_json(tessera("admin", "secret", "rotate", "--keep", "1", "--json"))
    assert len(only) == 1 and only[0]["signs"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_every_act_is_in_the_audit_trail(tessera, folder):
    make_account(tessera)
    key = good_json(tessera("admin", "key", "create", "--account", "shop", "--name", "web", "--expires", "2199-01-31", "--json"))
    template = good(tessera("admin", "plan", "template"))
    (folder / "plans.toml").write_text(template.replace('"50MiB"', '"60MiB"'))
    for line in (
        ["key", "revoke", key["id"]],
        ["account", "plan", "--account", "shop", "--plan", "starter"],
        ["entitlement", "set", "--account", "shop", "--feature", "cdn_delivery", "--enabled", "true"],
        ["plan", "apply", folder / "plans.toml"],
        ["secret", "rotate", "--keep", "2", "--actor", "a console"],
        ["backup", folder / "copy.db"],
    ):
        good(tessera("admin", *line))
    for looking in (["account", "list"], ["key", "list"], ["secret", "list"], ["plan", "list"], ["usage", "--account", "shop"]):
        good(tessera("admin", *looking))
    trail = good_json(tessera("admin", "audit", "--json"))
    assert [entry["action"] for entry in trail] == [
        "plan.apply", "account.create", "key.create", "key.revoke", "account.plan", "entitlement.set", "plan.apply", "secret.rotate", "backup",
    ]
    user = pwd.getpwuid(os.getuid()).pw_name
    assert {entry["actor"] for entry in trail if entry["action"] != "secret.rotate"} <= {user, f"{os.environ.get('SUDO_USER')} as {user}"}
    assert trail[7]["actor"] == "a console" and trail[7]["details"] == {"keep": 2}
    assert trail[2]["account"] == "shop" and trail[2]["subject"] == key["id"]
    assert trail[2]["details"] == {"role": "runtime", "expires_at": "2199-01-31T00:00:00.000Z", "networks": "any"}
    assert good_json(tessera("admin", "audit", "--since", "2199-01-31", "--json")) == []
    assert len(good_json(tessera("admin", "audit", "--since", "1h", "--account", "shop", "--json"))) == 5
    assert good(tessera("admin", "audit")).splitlines()[0].split() == ["WHEN", "WHO", "WHAT", "ACCOUNT", "SUBJECT", "DETAILS"]
    assert tessera("admin", "audit", "--since", "yesterday").returncode == 2


def test_config_print_tells_values_and_origins_and_no_secrets(tessera, folder):
    (folder / "t.toml").write_text('[log]\nlevel = "debug"\n[metadata]\nurl = "postgresql://u:hunter2@h/d"\n')
    done = tessera(
        "config", "print", "--json", "--config", folder / "t.toml", "--set", "server.threads=3", environment={"TESSERA_RATE_LIMITS__PLANS": "7"}
    )
    shown = good_json(done)
    assert shown["log.level"] == {"value": "debug", "origin": f"{folder}/t.toml:2"}
    assert shown["server.threads"] == {"value": "3", "origin": "--set"}
    assert shown["rate_limits.plans"] == {"value": "7", "origin": "environment TESSERA_RATE_LIMITS__PLANS"}
    assert shown["rate_limits.account"] == {"value": "240", "origin": "default"}
    assert shown["data.dir"]["origin"] == "--data-dir"
    assert "hunter2" not in done.stdout
    text = good(tessera("config", "print", environment={"TESSERA_CONFIG": str(folder / "t.toml")}))
    assert "hunter2" not in text and 'level = "debug"' in text


def test_help_is_there_at_every_level_with_examples(tessera):
    for line in (["--help"], ["serve", "--help"], ["admin", "--help"], ["admin", "key", "create", "--help"], ["worker", "--help"]):
        assert good(tessera(*line, data_dir=None)).strip()
    assert "Examples" in good(tessera("--help", data_dir=None))
    assert re.fullmatch(r"tessera \d+\.\d+\.\d+\n", good(tessera("version", data_dir=None)))


def test_the_openapi_document_is_printed_without_a_service(tessera):
    document = good_json(tessera("openapi", data_dir=None))
    assert document["openapi"].startswith("3.1")
    for path in ("/v1/account", "/healthz", "/readyz", "/metrics"):
        assert path in document["paths"]
