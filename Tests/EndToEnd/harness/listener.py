"""A small server of this process on a loopback port of its own."""

import threading
from http.server import ThreadingHTTPServer


class Listener:
    """`with` starts it and ends it."""

    def __init__(self, handler):
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def address(self):
        return "127.0.0.1:%d" % self._server.server_address[1]

    @property
    def origin(self):
        return f"http://{self.address}"

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)
