"""An operator at the console's interface, as its pages are: a cookie, and the header that other sites can't send."""

import json
import re
import subprocess

from service import PATIENCE

PASSWORD = "correct horse battery"


def make_operator(service, name="anna", password=PASSWORD, command="create", check=True):
    """The password goes in by standard input, as a script gives it."""
    line = [str(service.binary), "admin", "--data-dir", str(service.data_dir)]
    if "metadata.url" in service.settings:
        line += ["--set", f"metadata.url={service.settings['metadata.url']}"]
    line += ["operator", command, name, "--json"]
    done = subprocess.run(line, input=password + "\n", capture_output=True, text=True, timeout=PATIENCE)
    if check:
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)
    return done


class Operator:
    def __init__(self, service, name="anna", password=PASSWORD, headers=None):
        self.service = service
        self.headers = {"X-Tessera-Console": "1", **(headers or {})}
        self.signed_in = self.post("/session", {"name": name, "password": password})
        self.cookie = None
        if self.signed_in.status == 201:
            self.cookie = re.match(r"tessera_operator=[0-9A-Za-z]+", self.signed_in.headers["Set-Cookie"])[0]
            self.headers["Cookie"] = self.cookie

    def request(self, method, path, body=None, headers=None):
        given = {**self.headers, **(headers or {})}
        given = {name: value for name, value in given.items() if value is not None}
        return self.service.request(method, "/console/api" + path, body=body, headers=given)

    def get(self, path):
        answer = self.request("GET", path)
        assert answer.headers["Cache-Control"] == "private, no-store"
        return answer

    def post(self, path, body=None, **more):
        return self.request("POST", path, body, **more)

    def put(self, path, body, **more):
        return self.request("PUT", path, body, **more)

    def delete(self, path, **more):
        return self.request("DELETE", path, **more)


def refusal(answer):
    return answer.status, answer.json()["code"]
