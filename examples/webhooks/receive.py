#!/usr/bin/env python3
"""Receives webhooks of Tessera, with nothing but the standard library.

    SECRET=whsec_… python3 receive.py [127.0.0.1:8089]

Prints a line for every message that is genuine; all else is answered with 400."""

import base64
import hashlib
import hmac
import http.server
import json
import os
import sys
import time

KEY = base64.b64decode(os.environ["SECRET"].removeprefix("whsec_"))
TOLERANCE = 300  # seconds: older messages may be somebody's who recorded them


def is_genuine(headers, body, now):
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(now - int(timestamp)) > TOLERANCE:
        return False
    signed = hmac.new(KEY, f"{message_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(signed)
    given = headers.get("webhook-signature", "").encode().split(b" ")  # several while a secret is rotated
    return any(hmac.compare_digest(expected, one) for one in given)


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        # The body as it came: what was parsed and written again has another signature.
        body = self.rfile.read(int(self.headers["Content-Length"]))
        genuine = is_genuine(self.headers, body, time.time())
        self.send_response(204 if genuine else 400)
        self.end_headers()
        if genuine:
            message = json.loads(body)  # self.headers["webhook-id"] tells whether it came before
            print(message["type"], message["data"].get("id", ""), flush=True)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    host, port = (sys.argv + ["127.0.0.1:8089"])[1].rsplit(":", 1)
    http.server.ThreadingHTTPServer((host, int(port)), Handler).serve_forever()
