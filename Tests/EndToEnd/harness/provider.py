"""An OpenID provider, oidc-provider-mock, whose ID tokens a test may change before they are signed."""

import base64
import hmac
import json
import threading
import warnings

from werkzeug.serving import make_server

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import flask
    import oidc_provider_mock
    from joserfc import jwt
    from joserfc.jwk import RSAKey
    from oidc_provider_mock._storage import storage


class Provider:
    """Runs until `stop`. `accounts` are claims of accounts by their `sub`."""

    def __init__(self, accounts):
        users = [oidc_provider_mock.User(sub=name, claims=claims) for name, claims in accounts.items()]
        app = oidc_provider_mock.app(user_claims=users)
        app.after_request(self._answer)
        # Not as oidc-provider-mock wraps it: it would show its own errors in a debugger.
        app.debug = False
        self.server = make_server("127.0.0.1", 0, app, threaded=True)
        self.issuer = f"http://127.0.0.1:{self.server.port}"
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()
        # Changes the claims of the next tokens.
        self.claims = lambda claims: claims
        # Signs them: claims and the provider's key to the text of a token.
        self.sign = by_the_provider
        # Status, type and body of the token endpoint's answers, in place of tokens.
        self.maintenance = None

    def honest(self):
        self.claims, self.sign, self.maintenance = (lambda claims: claims), by_the_provider, None

    def _answer(self, response):
        if flask.request.path == "/oauth2/token" and self.maintenance:
            status, content_type, body = self.maintenance
            return flask.Response(body, status, content_type=content_type)
        if flask.request.path == "/oauth2/token" and response.status_code == 200:
            answer = response.get_json()
            payload = answer["id_token"].split(".")[1]
            claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
            key = RSAKey.import_key(storage.jwk.as_dict(is_private=True))
            answer["id_token"] = self.sign(self.claims(claims), key)
            response.set_data(json.dumps(answer))
        return response

    def stop(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


def by_the_provider(claims, key):
    return jwt.encode({"alg": "RS256"}, claims, key)


def encoded(part):
    return base64.urlsafe_b64encode(part).rstrip(b"=").decode()


def unsigned(claims, _):
    return ".".join(encoded(json.dumps(part).encode()) for part in ({"alg": "none"}, claims)) + "."


def by_the_public_key(claims, key):
    """HS256, with the key that everybody knows as the secret. By hand: libraries refuse it."""
    signed = ".".join(encoded(json.dumps(part).encode()) for part in ({"alg": "HS256"}, claims))
    return f"{signed}.{encoded(hmac.digest(key.as_pem(private=False), signed.encode(), 'sha256'))}"


def by_another_key(claims, _):
    return jwt.encode({"alg": "RS256"}, claims, RSAKey.generate_key(2048))
