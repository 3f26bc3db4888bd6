"""`tessera health`: whether a node is ready, as an exit code."""

import os
import signal
import subprocess

from ports import free_port
from service import BINARY, PATIENCE, wait_until


def health(*arguments, **environment):
    done = subprocess.run(
        [str(BINARY), "health", *arguments], capture_output=True, text=True, timeout=PATIENCE, env={**os.environ, **environment}
    )
    return done.returncode, done.stdout + done.stderr


def listens(service):
    return f"--set=server.listen=0.0.0.0:{service.port}"


def test_a_service_that_is_ready(service):
    assert health(listens(service)) == (0, f"tessera serve is ready: http://127.0.0.1:{service.port}\n")
    assert health(f"--set=server.listen=[::]:{service.port}")[0] == 0
    assert health(listens(service), http_proxy="http://127.0.0.1:1")[0] == 0, "the node is here, not behind a proxy"


def test_nothing_there_is_told_with_the_address():
    port = free_port()
    code, text = health(f"--set=server.listen=127.0.0.1:{port}")
    assert code == 1 and f"tessera serve: http://127.0.0.1:{port}/readyz: " in text


def test_a_service_that_hangs_is_given_up(service):
    os.kill(service.process.pid, signal.SIGSTOP)
    try:
        code, text = health(listens(service), "--timeout=200ms")
    finally:
        os.kill(service.process.pid, signal.SIGCONT)
    assert code == 1 and "no answer within 200ms" in text


def test_what_is_wrong_is_named(make_service, postgres, database):
    service = make_service(settings={"metadata.url": database.url, "rate_limits.enabled": "false"}, clean_log=False)
    assert health(listens(service))[0] == 0
    postgres.down()
    try:
        told = wait_until(lambda: (found := health(listens(service)))[0] == 1 and found[1], "the check to fail", pause=0.2)
    finally:
        postgres.up()
    assert told == "tessera: tessera serve is not ready: database does not answer\n"


def test_where_operators_have_an_address_that_is_asked(service):
    assert health("--set=server.listen=127.0.0.1:1", f"--set=server.admin_listen=127.0.0.1:{service.port}")[0] == 0


def test_a_worker_has_an_address_of_its_own(service):
    code, text = health(listens(service), "--node=worker")
    assert code == 1 and "worker.admin_listen is not set" in text
    either = ["--set=server.listen=127.0.0.1:1", f"--set=worker.admin_listen=127.0.0.1:{service.port}", "--node=any"]
    assert health(*either) == (0, f"tessera worker is ready: http://127.0.0.1:{service.port}\n")
    assert health(*either[:-1])[0] == 1, "a worker does not stand in for a service unless it is asked to"


def test_wrong_usage_is_another_exit_code():
    assert health("--node=both")[0] == 2
    assert health("--timeout=soon")[0] == 2
    assert health("--set=server.listen=127.0.0.1:0")[0] == 2
