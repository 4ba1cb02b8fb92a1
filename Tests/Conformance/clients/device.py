"""A phone: what an app on it can do, and a record of all that it did."""

from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from harness import wire

BROWSERS = {
    "ios": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.1 Mobile/15E148 Safari/604.1",
    "android": "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/131.0.0.0 Mobile Safari/537.36",
}
APPS = {
    "ios": "Shop/7 CFNetwork/1568.200.51 Darwin/24.1.0",
    "android": "Dalvik/2.1.0 (Linux; U; Android 15; Pixel 9 Build/AP4A.250105.002)",
}
MOST_REDIRECTS = 5


class NoNetwork(Exception):
    """The phone is in a tunnel."""


@dataclass
class Post:
    """A request that an app or its SDK made to report something."""

    method: str
    url: str
    headers: dict
    body: bytes
    status: int
    # What the sample's code makes of the status; None where it makes nothing of it.
    succeeded: bool | None = None


@dataclass(frozen=True)
class Opened:
    """A URL that was handed to the system, and where its browser ended up."""

    url: str
    # The address that the browser shows in the end; None when no browser was involved.
    arrived_at: str | None = None
    status: int | None = None


class Device:
    def __init__(self, platform, token="f0e1d2c3b4a5968778695a4b3c2d1e0f"):
        self.platform = platform
        # What FCM or APNs know this phone by; an app reports it with its events.
        self.token = token
        self.opened = []
        self.posts = []
        self.online = True

    @property
    def opened_urls(self):
        return [opened.url for opened in self.opened]

    def open_url(self, url):
        """Hands a URL to the system: the browser for http and https, the app that owns the scheme otherwise."""
        if urlsplit(url).scheme.lower() in ("http", "https"):
            self.opened.append(self._browse(url))
        else:
            self.opened.append(Opened(url))

    def open_inside_the_app(self, url):
        """The app has claimed the link for itself: no browser sees it."""
        self.opened.append(Opened(url))

    def request(self, method, url, headers, body=b""):
        """One request by the app itself; the post as it went out, with the status that came back."""
        sent = {"User-Agent": APPS[self.platform]} | headers
        if body or method == "POST":
            sent["Content-Length"] = str(len(body))
        answer = self._ask(method, url, sent, body)
        post = Post(method, url, headers, body, answer.status)
        self.posts.append(post)
        return post

    def _browse(self, url):
        shown = url
        headers = {"User-Agent": BROWSERS[self.platform], "Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
        for _ in range(MOST_REDIRECTS):
            answer = self._ask("GET", shown.partition("#")[0], headers)
            if answer.status not in (301, 302, 303, 307, 308):
                break
            shown = urljoin(shown, answer.header("Location"))
        return Opened(url, shown, answer.status)

    def _ask(self, method, url, headers, body=b""):
        if not self.online:
            raise NoNetwork
        scheme, _, rest = url.partition("://")
        assert scheme == "http", f"a test only has servers without TLS: {url}"
        # Not `urlsplit`: two slashes after the host must reach the service as two.
        address, slash, target = rest.partition("/")
        return wire.ask(address, method, slash + target or "/", headers, body)
