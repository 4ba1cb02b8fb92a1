"""Exports of ledgers, verified as an auditor does."""

import json

import httpx

from .service import CommandLine


def verified_export(service, org, name, *since):
    """Exports everything and verifies it; `since` is what an earlier call has returned, so that the ledger of now must
    continue that of then."""
    ledger = org.expect(200, "GET", org.path("/ledger")).json()
    file = str(service.folder / name)
    done = CommandLine(service).ask("audit", "export", "--org", org.id, "--output", file, *since)
    assert done.returncode == 0, done.stderr
    done = CommandLine(service).run("verify", file, "--key", ledger["verifierKey"], *since, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    checkpoint = service.folder / f"{name}.checkpoint"
    checkpoint.write_text(org.expect(200, "GET", org.path("/ledger/checkpoint")).text)
    return ["--since", str(checkpoint)]


def record_much(org, recipient):
    """So much evidence that an export of it cannot stand in the buffers on the way."""
    evidence = {member: "x" * 4000 for member in ("method", "source", "actor", "language")}
    for _ in range(3):
        org.record_all([{"recipient": recipient, "state": "given", "evidence": evidence} for _ in range(500)])


def exported(org, filters, meanwhile):
    """The archive. `meanwhile` is called when its beginning was read, before the service can write the rest."""
    headers = {"Authorization": f"Bearer {org.key}", "Content-Type": "application/json"}
    request = {"url": f"{org.service.api}{org.path('/audits')}", "headers": headers, "content": json.dumps(filters)}
    with httpx.stream("POST", timeout=60, **request) as answer:
        pieces = answer.iter_raw()
        archive = next(pieces)
        meanwhile()
        for piece in pieces:
            archive += piece
    return archive
