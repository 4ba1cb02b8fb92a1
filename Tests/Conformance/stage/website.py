"""The website that links lead to: says yes to everything and remembers who came where."""

import threading
from http.server import BaseHTTPRequestHandler

from harness.client import unique
from harness.listener import Listener


class Website(Listener):
    def __init__(self):
        self._visits = []
        self._lock = threading.Lock()
        site = self

        class Page(BaseHTTPRequestHandler):
            def do_GET(self):
                with site._lock:
                    site._visits.append(self.path)
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        super().__init__(Page)

    def page(self, name="offer"):
        """The address of a page that no other test links to."""
        return f"{self.origin}/{unique(name)}?a=1&b=%2F#top"

    def visits(self, page):
        """How often somebody arrived at a page; the fragment stays with the browser."""
        path = page.removeprefix(self.origin).partition("#")[0]
        with self._lock:
            return self._visits.count(path)
