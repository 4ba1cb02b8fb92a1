"""What the end-to-end tests use: the service as a process, its API, its bytes on the wire."""
