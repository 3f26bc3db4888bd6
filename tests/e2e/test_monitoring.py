"""What watches a service: promtool reads its metrics, rules and configuration; alerts and runbook, dashboard and metrics name the same things;
and whoever asks for OpenMetrics gets it."""

import itertools
import json
import re
import subprocess

import pytest
from doc_pages import anchors_of
from prometheus import parse
from service import ROOT
from test_metrics import DESCRIBED, PAGE

EXAMPLES = ROOT / "examples" / "prometheus"
ALERTS = (EXAMPLES / "alerts.yml").read_text()
RULES = (EXAMPLES / "rules.yml").read_text()
DASHBOARD = json.loads((EXAMPLES / "dashboard.json").read_text())
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
RECORDED = set(re.findall(r"^ *- record: (\S+)$", RULES, re.M))
# What Prometheus 2.42 sends.
ACCEPT = (
    "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
    "text/plain;version=0.0.4;q=0.5,*/*;q=0.1"
)


def promtool(*arguments, given=None):
    return subprocess.run(["promtool", *map(str, arguments)], input=given, capture_output=True, text=True)


def test_the_page_is_clean_for_promtool(service):
    done = promtool("check", "metrics", given=service.get("/metrics").body.decode())
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_rules_and_configuration_are_as_prometheus_wants_them():
    done = promtool("check", "rules", EXAMPLES / "alerts.yml", EXAMPLES / "rules.yml")
    assert done.returncode == 0, done.stderr
    done = promtool("check", "config", "--syntax-only", EXAMPLES / "prometheus.yml")
    assert done.returncode == 0, done.stderr


def test_every_alert_fires_and_is_silent_as_its_test_says():
    done = promtool("test", "rules", EXAMPLES / "tests.yml")
    assert done.returncode == 0, done.stdout + done.stderr
    tests = (EXAMPLES / "tests.yml").read_text()
    for alert in re.findall(r"^ *- alert: (\S+)$", ALERTS, re.M):
        silent = f"alertname: {alert}, exp_alerts: []"
        assert silent in tests and f"alertname: {alert}\n" in tests, f"{alert} is not tested both ways"
    for recorded in RECORDED:
        assert recorded in tests, f"{recorded} is not tested"


def test_each_alert_says_what_it_means_and_has_its_place_in_the_runbook():
    alerts = dict(re.findall(r"^ *- alert: (\S+)$(.*?)(?=^ *- alert:|^  - name:|\Z)", ALERTS, re.M | re.S))
    headings = re.findall(r"^### (\S+)$", (ROOT / "docs" / "runbook.md").read_text(), re.M)
    assert headings == list(alerts), "the runbook has the alerts, all of them, in their order and nothing else"
    for name, text in alerts.items():
        assert re.search(r"labels: \{severity: (critical|warning|info)\}", text), name
        assert re.search(r"^ +summary: \".{10,}\"$", text, re.M) and re.search(r"^ +description: \".{10,}\"$", text, re.M), name
        assert f"runbook_url: docs/runbook.md#{name.lower()}\n" in text, name
        assert name.lower() in anchors_of("docs/runbook.md"), name


def names_in(text):
    recorded = set(re.findall(r"\b\w+:(?:tessera|process)_\w+:\w+", text))
    assert recorded <= RECORDED, recorded - RECORDED
    found = set(re.findall(r"(?<![:\w])((?:tessera|process)_[a-z0-9_]+)", text))
    return {re.sub(r"_(bucket|sum|count)$", "", name) if name not in DESCRIBED else name for name in found} | recorded


def test_only_metrics_that_there_are_are_named():
    variables = [variable["query"]["query"] for variable in DASHBOARD["templating"]["list"] if variable["type"] == "query"]
    for text in [*variables, ALERTS, RULES, PAGE.split("## Questions")[1], (ROOT / "docs" / "runbook.md").read_text()]:
        assert names_in(text) - RECORDED <= set(DESCRIBED), text
    for panel in PANELS:
        for target in panel["targets"]:
            names = names_in(target["expr"])
            assert (names or re.search(r"\b(up|ALERTS)\b", target["expr"])) and names - RECORDED <= set(DESCRIBED), target


def test_the_dashboards_queries_can_be_read(folder):
    expressions = [target["expr"] for panel in PANELS for target in panel["targets"]]
    expressions += [annotation["expr"] for annotation in DASHBOARD["annotations"]["list"]]
    rules = []
    for number, text in enumerate(expressions):
        text = re.sub(r"\$(job|instance)\b", ".*", text.replace("$__rate_interval", "1m"))
        assert "$" not in text, text
        rules.append({"record": f"query:{number}", "expr": text})
    file = folder / "queries.yml"  # JSON is YAML
    file.write_text(json.dumps({"groups": [{"name": "queries", "rules": rules}]}))
    done = promtool("check", "rules", "--lint=none", file)
    assert done.returncode == 0, done.stderr


def test_the_dashboard_is_laid_out_whole():
    everything = DASHBOARD["panels"]
    ids = [panel["id"] for panel in everything]
    assert len(set(ids)) == len(ids)
    covered = set()
    for panel in everything:
        place = panel["gridPos"]
        assert 0 <= place["x"] and place["x"] + place["w"] <= 24, panel["title"]
        cells = set(itertools.product(range(place["x"], place["x"] + place["w"]), range(place["y"], place["y"] + place["h"])))
        assert not cells & covered, f"{panel['title']} lies on another"
        covered |= cells
    bottom = max(y for _, y in covered) + 1
    assert len(covered) == 24 * bottom, "there are holes"
    alerts = {alert.lower() for alert in re.findall(r"- alert: (\S+)", ALERTS)}
    linked = set()
    for panel in PANELS:
        assert panel["description"].endswith(".") and panel["fieldConfig"]["defaults"]["unit"], panel["title"]
        assert panel["datasource"]["uid"] == "${datasource}"
        linked |= {link["url"].removeprefix("${runbook}#") for link in panel.get("links", [])}
    assert linked == alerts, "a panel leads to each alert's paragraph"


def samples_of(text):
    """The series of a page, without what differs between the two formats: how `le` is spelt."""
    named = re.findall(r"^([a-z_]+)(\{.*?\})? \S+", re.sub(r" # \{.*$", "", text, flags=re.M), re.M)
    return {(name, re.sub(r'le="(\d+)\.0"', r'le="\1"', labels)) for name, labels in named}


def test_whoever_asks_for_openmetrics_gets_the_same_numbers(service):
    plain = service.get("/metrics")
    assert plain.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    answer = service.get("/metrics", headers={"Accept": ACCEPT})
    assert answer.headers["Content-Type"] == "application/openmetrics-text; version=1.0.0; charset=utf-8"
    text = answer.body.decode()
    assert text.endswith("\n# EOF\n") and text.count("# EOF") == 1
    parse(plain.body.decode())
    # The scrape before is a request that was answered, and has raised a series of its own.
    missing = samples_of(plain.body.decode()) - samples_of(text)
    assert not missing, missing
    types = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.M))
    assert types == {name.removesuffix("_total") if row[1] == "counter" else name: row[1] for name, row in DESCRIBED.items()}


@pytest.mark.parametrize("accept", ["*/*", "text/plain", "application/openmetrics-text;version=2.0.0", "application/openmetrics-text;q=0"])
def test_nobody_else_does(service, accept):
    answer = service.get("/metrics", headers={"Accept": accept})
    assert answer.headers["Content-Type"].startswith("text/plain;")
