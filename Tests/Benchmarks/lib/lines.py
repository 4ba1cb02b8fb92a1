"""Bodies of lines over one connection, written and read at once in constant memory."""

import socket
import threading

PIECE = 1 << 16


def exchange(service, path, lines):
    """Sends `lines`, counts what comes back; a line without an error is an answer."""
    host, port = service.api.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall((
            f"POST /v1/orgs{path} HTTP/1.1\r\nHost: api\r\nAuthorization: Bearer {service.key}\r\n"
            "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        ).encode())
        sending = threading.Thread(target=send, args=(connection, lines))
        sending.start()
        answered, refused, end = 0, 0, b""
        while piece := connection.recv(1 << 18):
            answered += piece.count(b"\n")
            refused += (end + piece).count(b'{"error":')
            end = piece[-8:]
        sending.join()
    if refused:
        raise SystemExit(f"{refused} lines were refused")
    return answered


def send(connection, lines):
    piece, size = [], 0
    for line in lines:
        piece.append(line)
        size += len(line)
        if size >= PIECE:
            connection.sendall(chunk(b"".join(piece)))
            piece, size = [], 0
    if piece:
        connection.sendall(chunk(b"".join(piece)))
    connection.sendall(chunk(b""))


def chunk(content):
    return b"%x\r\n%b\r\n" % (len(content), content)


def read(service, path, accept):
    """Reads a whole listing; returns how many lines it has."""
    host, port = service.api.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall((
            f"GET /v1/orgs{path} HTTP/1.1\r\nHost: api\r\nAuthorization: Bearer {service.key}\r\n"
            f"Accept: {accept}\r\nConnection: close\r\n\r\n"
        ).encode())
        count = 0
        while piece := connection.recv(1 << 18):
            count += piece.count(b"}\n")
        return count
