"""The console, as a browser without scripts uses it: cookies, forms and the headers that browsers send."""

import html
import re
import urllib.parse

import html5lib
import httpx

from .client import AUTHORITIES

FORM = re.compile(r"<form\b([^>]*)>(.*?)</form>", re.DOTALL)
FIELD = re.compile(r"<input\b([^>]*)>", re.DOTALL)
ATTRIBUTE = re.compile(r'([a-z-]+)="([^"]*)"')

# Of every cookie.
ATTRIBUTES = {"path": "/", "secure": "", "httponly": "", "samesite": "lax"}


class Form:
    """A form of a page: where it goes, and what its fields have."""

    def __init__(self, attributes, content):
        own = attributes_of(attributes)
        self.action = own.get("action", "")
        self.method = own.get("method", "get")
        self.fields = {}
        for field in FIELD.findall(content):
            named = attributes_of(field)
            if named.get("type") in ("checkbox", "radio") and " checked" not in field:
                continue
            if "name" in named:
                self.fields[named["name"]] = named.get("value", "")


def attributes_of(text):
    return {name: html.unescape(value) for name, value in ATTRIBUTE.findall(text)}


class ConsoleBrowser:
    """One browser. httpx keeps no cookies with `Secure` for plain HTTP, as browsers do for loopback; this does."""

    def __init__(self, service, patience=30, **headers):
        """`patience`: for how many seconds an answer is waited for."""
        self.service = service
        self.patience = patience
        self.cookies = {}
        self.headers = headers
        self.session = self.cookie("session")

    def cookie(self, name):
        """The whole name of a cookie of the console, which has the port of its address."""
        port = urllib.parse.urlsplit(self.service.console).port
        return f"__Host-{name}" if port is None else f"__Host-{name}-{port}"

    def get(self, path, **headers):
        return self._send("GET", path, headers=headers)

    def head(self, path, **headers):
        return self._send("HEAD", path, headers=headers)

    def page(self, path):
        """The page of a path, redirects followed. Fails for what is none."""
        answer = self.follow(self.get(path))
        assert answer.status_code == 200, f"{path}: {answer.status_code} {answer.text[:500]}"
        return answer

    def data(self, path):
        """The tables of a page."""
        answer = self.get(path, Accept="application/json")
        assert answer.status_code == 200, f"{path}: {answer.status_code} {answer.text[:500]}"
        return answer.json()

    def follow(self, answer):
        while answer.status_code in (302, 303):
            answer = self.get(urllib.parse.urljoin(str(answer.url), answer.headers["Location"]))
        return answer

    def post(self, path, fields, **headers):
        """Sends a form as a page of the console itself would; `headers` replace what a browser says."""
        own = {"Origin": self.service.console, "Sec-Fetch-Site": "same-origin"}
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        headers = {name: value for name, value in (form | own | headers).items() if value is not None}
        return self._send("POST", path, content=urllib.parse.urlencode(fields), headers=headers)

    def form(self, path, action=None):
        """The form of a page that goes to `action`; the only one that is not for signing out, where it is not told."""
        return form_of(self.page(path).text, action)

    def submit(self, path, action=None, **fields):
        """Fills in a form of a page and sends it."""
        form = self.form(path, action)
        return self.post(form.action, form.fields | fields)

    def sign_in(self, key):
        answer = self.submit("/sign-in", "/sign-in", key=key)
        assert answer.status_code == 303, f"{answer.status_code} {answer.text[:1000]}"
        assert self.session in self.cookies
        return self

    def _send(self, method, path, headers, **more):
        url = urllib.parse.urljoin(self.service.console, path)
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {"Accept": "text/html"} | self.headers | ({"Cookie": cookies} if cookies else {}) | headers
        answer = httpx.request(method, url, headers=sent, timeout=self.patience, verify=AUTHORITIES, **more)
        for cookie in answer.headers.get_list("Set-Cookie"):
            name, value, attributes = cookie_of(cookie)
            # Every cookie is of this host alone, for no script, and not for requests of other sites.
            own = {name: said for name, said in attributes.items() if name not in ("max-age", "expires")}
            assert name.startswith("__Host-") and own == ATTRIBUTES, cookie
            if attributes.get("max-age") == "0":
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = value
        return answer


def cookie_of(field):
    """The name, the value and the attributes of a `Set-Cookie` header."""
    pair, *rest = field.split(";")
    name, _, value = pair.partition("=")
    attributes = (part.strip().lower().partition("=") for part in rest)
    return name, value, {name: said for name, _, said in attributes}


def form_of(page, action=None):
    forms = [Form(*found) for found in FORM.findall(page)]
    fitting = [form for form in forms if (form.action == action if action else form.action != "/sign-out")]
    assert len(fitting) == 1, f"{len(fitting)} forms for {action}: {[form.action for form in forms]}"
    return fitting[0]


def tables_of(page, where="figure/details//table"):
    """The tables of a page's charts, by their captions: the texts of each row below the titles."""
    found = {}
    for table in html5lib.parse(page, namespaceHTMLElements=False).iterfind(f".//{where}"):
        caption = text_of(table.find("caption"))
        assert caption not in found, f"two tables are called {caption}"
        found[caption] = [[text_of(cell) for cell in row] for row in table.iterfind("tbody/tr")]
    return found


def facts_of(page):
    """The large numbers of a page, by their names: each with its note."""
    facts = html5lib.parse(page, namespaceHTMLElements=False).iterfind(".//dl/div")
    return {text_of(fact.find("dt")): [text_of(said) for said in fact.iterfind("dd")] for fact in facts}


def text_of(element):
    return " ".join("".join(element.itertext()).split())
