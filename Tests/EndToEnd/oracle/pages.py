"""The page of a person: what it says in English, held to the rules, and what can be pressed on it."""

import re

from harness import wire

from .rules import OPENS, TRACKING, ended_by_no, recorded_elsewhere

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
SUBJECTS = {
    r"a message from [^<]+ or a link in it": ("clicks", "opens"),
    r"a link in a message from [^<]+": ("clicks",),
    r"a message from [^<]+": ("opens",),
}
VERDICTS = {"that can be recorded, with the time.": True, "nothing is recorded about you.": False}


def said_on(html: str) -> tuple[dict[str, bool], list[str], bool]:
    """Whether clicks and opens are recorded, the parts that have a button of their own, and whether there is a button."""
    said: dict[str, bool] = {}
    words = re.sub("</?(bdi|strong)>", "", html)
    for subject, verdict in re.findall(r"<p>When you open (.+?), ((?:that|nothing) [^<]+)</p>", words):
        activities = next(named for pattern, named in SUBJECTS.items() if re.fullmatch(pattern, subject))
        for activity in activities:
            assert activity not in said, html
            said[activity] = VERDICTS[verdict]
    assert set(said) == {"clicks", "opens"}, html
    return said, re.findall(r'<button name="(clicks|opens)"', html), "<button" in html


class Presses:
    """The acts of a walk on that page."""

    def press(self, tenant):
        """A no on the page that belongs to a payload."""
        sent = self.random.choice(tenant.sent) if tenant.sent else None
        if sent is None or tenant.people[sent.who] is not sent.life:
            return
        purposes, life = sent.purposes, sent.life
        is_one = len(purposes.distinct) == 1
        parts = self._read_page(tenant, sent)
        part = self.random.choice([None, None, *parts])
        asked = {None: purposes.distinct, "clicks": [purposes.clicks], "opens": [OPENS if is_one else purposes.opens]}
        expected = set()
        for purpose in asked[part]:
            is_about_both = is_one and part is None and purpose == TRACKING
            expected |= ended_by_no(life, purpose, is_about_both, tenant.enforcement, self.now())
        body = f"{part}=off".encode() if part else b""
        self._ask_page(sent, "POST", FORM | {"Content-Length": len(body)}, body)
        may = set(asked[part]) if part else {*purposes.distinct, OPENS}
        self._compare_noes(tenant, sent.who, life, expected, may, "withdrawn")
        self._read_page(tenant, sent)

    def _read_page(self, tenant, sent):
        """Compares what the page says with the rules. Returns the parts that it has a button for."""
        html = self._ask_page(sent, "GET", {})
        said, parts, has_button = said_on(html)
        for activity, is_recorded_by_page in said.items():
            expected = recorded_elsewhere(sent.life, sent.purposes, activity, tenant.enforcement, self.now())
            assert is_recorded_by_page == expected, (activity, sent.purposes, tenant.enforcement, sent.life, html)
        assert has_button or not any(said.values()), html
        return parts

    def _ask_page(self, sent, method, headers, body=b""):
        wanted = {"Accept": "text/html", "Accept-Language": "en"} | headers
        answer = wire.ask(self.service.listen, method, f"/p/{sent.id}", wanted, body)
        assert answer.status == 200
        return answer.body.decode()
