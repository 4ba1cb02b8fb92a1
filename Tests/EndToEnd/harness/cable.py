"""The connection of one node to its PostgreSQL server, which a test can cut or hold up."""

import contextlib
import shutil
import socket
import tempfile
import threading
import time
from pathlib import Path


class Cable:
    """A Unix socket that passes on all connections to a server's, until it is cut."""

    def __init__(self, server):
        self._target = f"{server.folder}/.s.PGSQL.{server.port}"
        self._port = server.port
        self._folder = Path(tempfile.mkdtemp(prefix="consentlink-cable-", dir="/tmp"))
        self._open = set()
        self._is_cut = False
        # In seconds, each way.
        self.delay = 0
        self._passes = threading.Event()
        self._passes.set()
        self._lock = threading.Lock()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(f"{self._folder}/.s.PGSQL.{server.port}")
        self._listener.listen(64)
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def folder(self):
        """Of the socket."""
        return self._folder

    def url(self, database):
        return f"postgres://test@/{database}?host={self._folder}" + (f"&port={self._port}" if self._port != 5432 else "")

    def cut(self):
        """Ends all connections, and refuses new ones."""
        with self._lock:
            self._is_cut = True
            ended = list(self._open)
        for one in ended:
            self._end(one)

    def hold_up(self):
        """Passes nothing on, and ends nothing."""
        self._passes.clear()

    def mend(self):
        with self._lock:
            self._is_cut = False
        self._passes.set()

    def close(self):
        self.cut()
        self._passes.set()
        self._end(self._listener)
        self._listener.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        with client, socket.socket(socket.AF_UNIX) as server:
            with self._lock:
                if self._is_cut:
                    return
                self._open |= {client, server}
            try:
                server.connect(self._target)
                back = threading.Thread(target=self._pass_on, args=(server, client), daemon=True)
                back.start()
                self._pass_on(client, server)
                back.join()
            except OSError:
                pass
            with self._lock:
                self._open -= {client, server}

    def _pass_on(self, one, other):
        with contextlib.suppress(OSError):
            while data := one.recv(1 << 16):
                self._passes.wait()
                time.sleep(self.delay)
                other.sendall(data)
        self._end(one)
        self._end(other)

    def _end(self, one):
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
