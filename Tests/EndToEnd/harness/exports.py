"""Exports of a whole ledger, verified as an auditor does."""

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
