"""A longer way between hosts: a relay in front of PostgreSQL's port that holds everything back."""

import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

ORIGINAL = 80  # SO_ORIGINAL_DST
RELAY = 15432
SERVER = 5432
# The relay's own connections are not redirected again.
USER = "daemon"


class Delay:
    """Connections to PostgreSQL that these hosts make take `milliseconds` longer for a question and its answer."""

    def __init__(self, bed, hosts, milliseconds):
        self._bed = bed
        self._hosts = hosts
        self._one_way = milliseconds / 2000
        self._relays = []

    def __enter__(self):
        for host in self._hosts:
            relay = subprocess.Popen(
                host.inside("/usr/bin/python3", "-B", Path(__file__), str(self._one_way), user=USER), cwd="/")
            self._relays.append(relay)
            host.run("iptables", "--wait", "-t", "nat", "-A", "OUTPUT", *self._rule)
        time.sleep(1)
        self._connect_again()
        return self

    def __exit__(self, *_):
        for host, relay in zip(self._hosts, self._relays, strict=True):
            host.run("iptables", "--wait", "-t", "nat", "-D", "OUTPUT", *self._rule)
            relay.terminate()
            relay.wait()
        self._connect_again()

    _rule = ("-p", "tcp", "--dport", str(SERVER), "-m", "owner", "!", "--uid-owner", USER,
             "-j", "REDIRECT", "--to-ports", str(RELAY))

    def _connect_again(self):
        """Existing connections keep the way by which they were made."""
        self._bed.psql(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            "WHERE backend_type = 'walsender' OR usename = 'consentlink'")
        time.sleep(2)
        self._bed.cluster.wait_for_primary()
        self._bed.cluster.wait_until_healthy() if all(node.is_running for node in self._bed.nodes) else time.sleep(5)


# MARK: the relay


async def relay(one_way):
    import asyncio

    async def carry(reader, writer):
        """Reads on while earlier pieces are held back."""
        pieces = asyncio.Queue()

        async def send():
            while (piece := await pieces.get())[1]:
                await asyncio.sleep(max(0, piece[0] - time.monotonic()))
                writer.write(piece[1])
                await writer.drain()
            writer.close()

        sending = asyncio.create_task(send())
        try:
            while piece := await reader.read(1 << 18):
                pieces.put_nowait((time.monotonic() + one_way, piece))
        except OSError:
            pass
        pieces.put_nowait((0, b""))
        await asyncio.gather(sending, return_exceptions=True)

    async def accept(reader, writer):
        client = writer.get_extra_info("socket")
        _, port, address = struct.unpack("!HH4s", client.getsockopt(socket.SOL_IP, ORIGINAL, 16)[:8])
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            await asyncio.sleep(one_way * 2)
            other = await asyncio.open_connection(socket.inet_ntoa(address), port)
        except OSError:
            return writer.close()
        other[1].get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        await asyncio.gather(carry(reader, other[1]), carry(other[0], writer))

    server = await asyncio.start_server(accept, "0.0.0.0", RELAY)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    import asyncio

    asyncio.run(relay(float(sys.argv[1])))
