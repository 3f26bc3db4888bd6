"""What runs Tessera in containers: the Kubernetes manifests against the API's own schemas and against this program's
settings, and the parts of the compose file that can be held against something here."""

import copy
import json
import os
import re
import subprocess

import pytest
import yaml
from service import BINARY, PATIENCE, ROOT

PACKAGING = ROOT / "packaging"
KUBERNETES = PACKAGING / "kubernetes"
KUSTOMIZATION = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text())
OBJECTS = [each for file in KUSTOMIZATION["resources"] for each in yaml.safe_load_all((KUBERNETES / file).read_text())]
COMPOSE = yaml.safe_load((PACKAGING / "compose" / "compose.yaml").read_text())


def complaints(objects):
    check = ["node", str(ROOT / "tests/tools/kubernetes.mjs")]
    done = subprocess.run(check, input=json.dumps(objects), capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def one(kind, name):
    return next(each for each in OBJECTS if (each["kind"], each["metadata"]["name"]) == (kind, name))


def container_of(name):
    return one("Deployment", name)["spec"]["template"]["spec"]["containers"][0]


def settings_of(environment):
    """What this program makes of an environment; it refuses names and values that it does not know."""
    given = {key: value for key, value in os.environ.items() if not key.startswith(("TESSERA_", "AWS_"))}
    line = [str(BINARY), "config", "print", "--json"]
    done = subprocess.run(line, capture_output=True, text=True, env={**given, **environment}, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return {key: setting["value"] for key, setting in json.loads(done.stdout).items()}


def filled_in(text):
    """A line of the compose file, with its variables at their defaults or, where it wants one, at a word."""
    return re.sub(r"\$\{\w+:(?:\?[^}]*|-([^}]*))\}", lambda found: found[1] or "x1", text)


def test_every_object_is_what_kubernetes_says_it_is():
    assert complaints(OBJECTS) == []


@pytest.mark.parametrize(
    "change, complaint",
    [
        (lambda container: container["readinessProbe"].update(periodSecond=5), "is no field of it"),
        (lambda container: container["securityContext"].update(readOnlyRootFilesystem="yes"), "type"),
        (lambda container: container.pop("name"), "required"),
        (lambda container: container["ports"][0].update(containerPort="http"), "type"),
    ],
)
def test_the_check_sees_what_is_wrong(change, complaint):
    broken = copy.deepcopy(one("Deployment", "tessera-api"))
    change(broken["spec"]["template"]["spec"]["containers"][0])
    assert any(complaint in each for each in complaints([broken])), complaints([broken])


@pytest.mark.parametrize("name", ["tessera-api", "tessera-worker"])
def test_the_settings_of_the_pods_are_settings_of_this_program(name):
    environment = dict(one("ConfigMap", "tessera")["data"])
    for each in container_of(name)["env"]:
        environment[each["name"]] = each.get("value", "postgresql://tessera@db/tessera" if "URL" in each["name"] else "secret")
    settings = settings_of(environment)
    assert settings["server.admin_listen"] == settings["worker.admin_listen"] == "0.0.0.0:9090"
    assert settings["sandbox.required"] == "true"
    ports = {port["name"]: port["containerPort"] for port in container_of(name)["ports"]}
    assert ports["admin"] == 9090
    help_text = subprocess.run([str(BINARY), *container_of(name)["args"], "--help"], capture_output=True, text=True, timeout=PATIENCE)
    assert help_text.returncode == 0, "the arguments are those of a command"


@pytest.mark.parametrize("name", ["tessera-api", "tessera-worker"])
def test_pods_have_no_privileges_and_probes_on_the_right_routes(name):
    pod = one("Deployment", name)["spec"]["template"]["spec"]
    container = container_of(name)
    assert pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"]["readOnlyRootFilesystem"] and not container["securityContext"]["allowPrivilegeEscalation"]
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert container["livenessProbe"]["httpGet"] == {"path": "/healthz", "port": "admin"}
    assert container["readinessProbe"]["httpGet"] == {"path": "/readyz", "port": "admin"}
    secret = [each for each in container["env"] if "value" not in each]
    assert secret and all(each["valueFrom"]["secretKeyRef"]["name"] == "tessera" for each in secret)
    labels = one("Deployment", name)["spec"]["template"]["metadata"]["labels"]
    for kind in ("PodDisruptionBudget", "NetworkPolicy"):
        spec = one(kind, name)["spec"]
        assert (spec.get("selector") or spec["podSelector"])["matchLabels"] == labels


def test_workers_are_scaled_by_a_metric_that_there_is():
    scaler = one("HorizontalPodAutoscaler", "tessera-worker")["spec"]
    rule = yaml.safe_load((KUBERNETES / "prometheus-adapter.yaml").read_text())["rules"]["external"][0]
    assert scaler["metrics"][0]["external"]["metric"]["name"] == rule["name"]["as"]
    slots = next(each["value"] for each in container_of("tessera-worker")["env"] if each["name"] == "TESSERA_WORKER__SLOTS")
    assert scaler["metrics"][0]["external"]["target"] == {"type": "AverageValue", "averageValue": slots}
    documented = (ROOT / "docs/metrics.md").read_text()
    for metric in set(re.findall(r"tessera_queue_\w+", rule["metricsQuery"])):
        assert f"| `{metric}` | gauge | cluster |" in documented


@pytest.mark.parametrize("node", ["api-1", "api-2", "worker"])
def test_the_compose_files_nodes_have_no_privileges_and_one_volume(node):
    container = COMPOSE["services"][node]
    assert container["read_only"] and container["cap_drop"] == ["ALL"] and container["user"] == "10001:10001"
    assert container["security_opt"] == ["no-new-privileges:true"]
    assert [volume.split(":")[1] for volume in container["volumes"]] == ["/var/lib/tessera"]
    assert container["healthcheck"]["test"][:3] == ["CMD", "tessera", "health"]
    filled = {key: filled_in(value) for key, value in container["environment"].items()}
    settings = settings_of(filled)
    assert settings["blobs.url"].startswith("s3://tessera?") and settings["sandbox.required"] == "true"
