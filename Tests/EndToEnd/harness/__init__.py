"""What the end-to-end tests stand on: the service as a process, its API, its bytes on the wire."""
