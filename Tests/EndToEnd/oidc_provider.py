"""Starts the OpenID Connect provider `oidc-provider-mock` for tests of the console's sign-in.

    pip install oidc-provider-mock==0.3.4
    python oidc_provider.py swift test --no-parallel --filter OpenIDConnectTests

runs the command with the issuer in `CONSENTLINK_OIDC_PROVIDER`. The provider knows two accounts: `ana`, whose roles
are `consent-admins` (in `roles` and in `realm_access.roles`), and `eve`, who has none. To sign in, a test posts
`sub=ana` to the address of the authorization request; the answer is the redirect.

It signs with RS256, its tokens have no `kid`, it takes any client, and it does not check PKCE. `SocketSignInTests`
does.
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request

ACCOUNTS = [
    {"sub": "ana", "roles": ["consent-admins"], "realm_access": {"roles": ["consent-admins"]}},
    {"sub": "eve"},
]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def provider(log=subprocess.DEVNULL):
    """Yields the issuer of a provider that runs until the block ends."""
    issuer = f"http://127.0.0.1:{(port := free_port())}"
    command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(port)]
    for account in ACCOUNTS:
        command += ["--user-claims", json.dumps(account)]
    process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        wait_until_it_answers(issuer, process)
        yield issuer
    finally:
        process.terminate()
        process.wait(timeout=10)


def wait_until_it_answers(issuer: str, process: subprocess.Popen) -> None:
    end = time.monotonic() + 30
    while True:
        try:
            with urllib.request.urlopen(f"{issuer}/.well-known/openid-configuration", timeout=5) as answer:
                assert json.load(answer)["issuer"] == issuer
                return
        except OSError:
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError("oidc-provider-mock did not start") from None
            time.sleep(0.1)


if __name__ == "__main__":
    with provider() as issuer:
        sys.exit(subprocess.run(sys.argv[1:], env=os.environ | {"CONSENTLINK_OIDC_PROVIDER": issuer}).returncode)
