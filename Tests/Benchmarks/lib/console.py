"""A user who is signed in to the console and asks for pages as a browser does."""

import http.client
import re
import time
import urllib.parse


class Session:
    def __init__(self, address, key):
        self.address = address
        self.connection = http.client.HTTPConnection(address, timeout=60)
        self.cookies = {}
        page = self.page("/sign-in")
        answer = self.send("POST", "/sign-in", urllib.parse.urlencode({"form": form_token(page, "/sign-in"), "key": key}))
        if answer.status != 303:
            raise SystemExit(f"the console did not let the session in: {answer.status}")

    def send(self, method, path, body=None):
        headers = {"Accept": "text/html", "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if body is not None:
            headers |= {
                "Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://{self.address}",
                "Sec-Fetch-Site": "same-origin"}
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        answer.text = answer.read().decode()
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.split(";")[0].partition("=")
            self.cookies[name] = value
        return answer

    def page(self, path):
        answer = self.send("GET", path)
        while answer.status == 303:
            answer = self.send("GET", answer.headers["Location"])
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status} {answer.text[:300]}")
        return answer.text

    def timed(self, path):
        """Milliseconds until the page is there, and its bytes."""
        begin = time.perf_counter()
        text = self.page(path)
        return (time.perf_counter() - begin) * 1000, len(text.encode())

    def look_up(self, path, recipient):
        """The path of the case."""
        fields = {"form": form_token(self.page(path), path), "recipient": recipient, "reason": "benchmark"}
        answer = self.send("POST", path, urllib.parse.urlencode(fields))
        if answer.status != 303:
            raise SystemExit(f"{path}: {answer.status} {answer.text[:300]}")
        return answer.headers["Location"]


def form_token(page, action):
    form = re.search(rf'<form [^>]*action="{re.escape(action)}".*?name="form" value="([^"]+)"', page, re.DOTALL)
    return form[1]
