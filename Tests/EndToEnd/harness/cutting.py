"""A proxy before the private listener whose connections break again and again."""

import socket
import threading


class CuttingProxy:
    """Passes on what is sent, both ways. `cuts` says after how many bytes of answers each connection breaks off;
    connections after the last of these are not cut. When it `swallows`, it does not break off at a cut: it reads all
    later answers and passes none of them on."""

    def __init__(self, target, cuts, swallows=False):
        self._swallows = swallows
        host, port = target.rsplit(":", 1)
        self._target = host, int(port)
        self._cuts = iter(cuts)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.connections = 0
        self.broken = 0

    @property
    def url(self):
        return "http://{}:{}".format(*self._listener.getsockname())

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(client, next(self._cuts, None)), daemon=True).start()

    def _serve(self, client, cut):
        try:
            service = socket.create_connection(self._target)
        except OSError:
            return client.close()
        threading.Thread(target=self._pass_on, args=(client, service), daemon=True).start()
        if self._pass_on(service, client, cut):
            self.broken += 1
        for one in (client, service):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()

    def _pass_on(self, one, other, limit=None):
        """Whether it ended because of the limit."""
        try:
            while data := one.recv(1 << 16):
                if limit is not None and limit <= len(data):
                    other.sendall(data[:limit])
                    while self._swallows and one.recv(1 << 16):
                        pass
                    return True
                other.sendall(data)
                if limit is not None:
                    limit -= len(data)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        return False
