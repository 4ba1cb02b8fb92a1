"""An endpoint of a backend: takes deliveries on a real socket, verifies each, and remembers what it was told."""

import json
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cloudevents.core.bindings.http import HTTPMessage, from_structured_event
from cloudevents.core.formats.json import JSONFormat
from standardwebhooks.webhooks import Webhook

from .service import free_port


@dataclass(frozen=True)
class Delivery:
    """One request as it came."""

    path: str
    headers: dict
    body: bytes

    @property
    def id(self):
        return self.headers["webhook-id"]

    @property
    def event(self):
        return json.loads(self.body)

    @property
    def kind(self):
        return self.event["type"].removeprefix("consentlink.")

    @property
    def data(self):
        return self.event["data"]


class Receiver:
    """A server on a port that stays the same over ends and beginnings."""

    def __init__(self, port=None, *, host="127.0.0.1", tls=None):
        """`tls`: a context for https; `host` is the name in the URL."""
        self.port = port or free_port()
        self.url = f"{'https' if tls else 'http'}://{host}:{self.port}/hooks"
        self._tls = tls
        self.deliveries = []
        self.answer = lambda delivery: (204, {}, b"")
        self.secrets = []
        self.failures = []
        self._server = None
        self.start()

    def start(self):
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver._take(self, Delivery(self.path, headers, body))

            def log_message(self, *_):
                pass

        class Server(ThreadingHTTPServer):
            allow_reuse_address = True
            daemon_threads = True

            def handle_error(self, *_):
                pass  # A relay that was killed.

        self._server = Server(("127.0.0.1", self.port), Handler)
        if self._tls:
            self._server.socket = self._tls.wrap_socket(self._server.socket, server_side=True)
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def stop(self):
        """Nothing listens on the port after this."""
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def _take(self, handler, delivery):
        self.deliveries.append(delivery)
        try:
            self.verify(delivery)
        except Exception as failure:  # Told at the end of the test.
            self.failures.append(failure)
        status, headers, body = self.answer(delivery)
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    def verify(self, delivery):
        """By others' libraries: the signature, and the form of the event."""
        for secret in self.secrets:
            Webhook(secret).verify(delivery.body, delivery.headers)
        parse(delivery)

    @property
    def events(self):
        """What was told, each event once, in the order in which it first came."""
        return list({delivery.id: delivery for delivery in self.deliveries}.values())

    def states(self):
        """The consent records that were told, as recipient and state."""
        return [(it.data.get("recipient"), it.data["state"]) for it in self.events if it.kind == "consent.recorded"]


def parse(delivery):
    """The event as the CloudEvents SDK reads it."""
    message = HTTPMessage(headers={"content-type": delivery.headers["content-type"]}, body=delivery.body)
    return from_structured_event(message, JSONFormat())
