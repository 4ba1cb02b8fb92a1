"""Carries connections on with a delay, in the namespace of the host that makes them: this kernel may have no netem.

    delay.py PORT MILLISECONDS

A rule of the firewall leads connections to PORT; the mark keeps those that are made here from it."""

import asyncio
import socket
import struct
import sys

MARK = 77
SO_ORIGINAL_DST = 80
# What is under way in each direction; a sender waits that is further ahead.
AHEAD = 256


async def pour(reader, writer, delay):
    """Writes what it reads, `delay` seconds later."""
    clock = asyncio.get_running_loop().time
    under_way = asyncio.Queue(AHEAD)

    async def read():
        while data := await reader.read(65536):
            await under_way.put((clock() + delay, data))
        await under_way.put((clock() + delay, b""))

    reading = asyncio.create_task(read())
    try:
        while True:
            due, data = await under_way.get()
            await asyncio.sleep(max(0, due - clock()))
            if not data:
                return
            writer.write(data)
            await writer.drain()
    finally:
        reading.cancel()


async def carry(reader, writer, delay):
    """One connection. Its end at one side ends it at the other."""
    address = writer.get_extra_info("socket").getsockopt(socket.SOL_IP, SO_ORIGINAL_DST, 16)
    port, host = struct.unpack("!2xH4s8x", address)
    onward = socket.socket()
    onward.setsockopt(socket.SOL_SOCKET, socket.SO_MARK, MARK)
    onward.setblocking(False)
    try:
        await asyncio.sleep(delay)
        await asyncio.get_running_loop().sock_connect(onward, (socket.inet_ntoa(host), port))
        other_reader, other_writer = await asyncio.open_connection(sock=onward)
        pours = [
            asyncio.create_task(pour(reader, other_writer, delay)),
            asyncio.create_task(pour(other_reader, writer, delay)),
        ]  # fmt: skip
        await asyncio.wait(pours, return_when=asyncio.FIRST_COMPLETED)
        for task in pours:
            task.cancel()
        await asyncio.gather(*pours, return_exceptions=True)
        other_writer.close()
    except OSError:
        onward.close()
    finally:
        writer.close()


async def main(port, milliseconds):
    delay = milliseconds / 1000
    server = await asyncio.start_server(lambda reader, writer: carry(reader, writer, delay), "127.0.0.1", port)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), float(sys.argv[2])))
