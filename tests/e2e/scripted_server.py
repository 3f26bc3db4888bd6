"""A server that answers as a test tells it: for what a real service can't be made to do at will (faults, proxies, routes to come)."""

import contextlib
import http.server
import json
import threading


class Scripted:
    """`answers` is a list of answers, given one after the other, the last one for ever: (status, headers, body) or a function of
    the request that returns such a tuple, or None to cut the connection. `requests` is what came: (method, path, headers, body)."""

    def __init__(self, answers):
        self.answers = list(answers)
        self.requests = []
        self.lock = threading.Lock()

    def next_answer(self, request):
        with self.lock:
            self.requests.append(request)
            answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return answer(request) if callable(answer) else answer


def encoded(body):
    return body if isinstance(body, bytes) else body.encode() if isinstance(body, str) else json.dumps(body).encode()


@contextlib.contextmanager
def scripted_server(*answers):
    script = Scripted(answers)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if self.headers.get("Transfer-Encoding") == "chunked":
                while size := int(self.rfile.readline(), 16):
                    body += self.rfile.read(size)
                    self.rfile.readline()
                self.rfile.readline()
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = script.next_answer((self.command, self.path, headers, body))
            if answer is None:
                self.close_connection = True
                return
            status, headers, body = answer
            body = encoded(body)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            if "Content-Length" not in headers:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                self.wfile.write(body)
            # A Content-Length that is larger than the body cuts it off.
            self.close_connection = self.close_connection or int(headers.get("Content-Length", len(body))) > len(body)

        do_GET = do_POST = do_DELETE = handle_any

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    script.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield script
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
