"""A scripted campaign: who gets it, who agreed, and what they and machines do with it."""

import re

from harness import wire
from harness.client import person, unique

BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
APPLE = "Mozilla/5.0"
GMAIL = "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)"
OUTLOOK = "Microsoft Office Existence Discovery"
SCANNER = "Mozilla/5.0 (compatible; Barracuda Sentinel)"

PEOPLE, CONSENTED, TWICE = 1000, 300, 50


class Campaign:
    """1,000 people, 300 of whom consented, get a mail with four links; 50 of them, 15 tracked, get it twice."""

    def __init__(self, service, org):
        self.service, self.org = service, org
        self.people = [person(f"reader{number}") for number in range(PEOPLE)]
        self.tracked = self.people[:CONSENTED]
        org.record_all([{"recipient": who, "state": "given"} for who in self.tracked])
        links = "".join(f'<a href="https://shop.example/{number}">{number}</a>' for number in range(1, 5))
        content = {"name": unique(), "html": f"<html><body>{links}</body></html>", "openTracking": True, "tags": ["campaign"]}
        self.payloads = {}
        composed = org.compose(self.people, content, format="email")
        self.message = composed.message
        for entry in composed.payloads:
            self.payloads[entry["recipient"]] = entry["payload"]
        self.twice = self.people[:15] + self.people[CONSENTED : CONSENTED + 35]
        assert len(self.twice) == TWICE
        org.compose(self.twice, message_id=self.message, format="email")

    def html(self, who):
        return self.payloads[who]["html"]

    def links(self, who):
        return re.findall(r'<a href="([^"]+)"', self.html(who))

    def click(self, who, *numbers, agent=BROWSER):
        for number in numbers:
            assert wire.follow(self.links(who)[number - 1], headers={"User-Agent": agent}).status == 302

    def open(self, who, agent):
        pixel = re.search(r'<img src="([^"]+)"', self.html(who))[1]
        assert wire.follow(pixel, headers={"User-Agent": agent}).status == 200

    def act(self):
        """What everybody does. Groups of tracked people, by their place in the list."""
        group = self.tracked
        for who in group[0:40]:  # 40 people follow link 1, ten of them twice, and open the mail themselves
            self.open(who, BROWSER)
            self.click(who, 1)
        for who in group[0:10]:
            self.click(who, 1)
        for who in group[40:60]:  # 20 open in Gmail and follow link 2
            self.open(who, GMAIL)
            self.click(who, 2)
        for who in group[60:160]:  # Apple Mail fetches the pictures of 100 who do nothing
            self.open(who, APPLE)
        for who in group[160:190]:  # 30 whose Gmail fetches, and who do nothing else
            self.open(who, GMAIL)
        for who in group[190:200]:  # 10 whose Outlook fetches, which is not told from a program
            self.open(who, OUTLOOK)
        for who in group[200:220]:  # a scanner by name follows all links of 20
            self.click(who, 1, 2, 3, 4, agent=SCANNER)
        for who in group[220:230]:  # one that calls itself a browser follows all links of 10, at once
            self.click(who, 1, 2, 3, 4)
        self.org.settle()

    def report(self, key=None):
        reader = key or self.org
        return reader.expect(200, "GET", self.org.path(f"/messages/{self.message}/report")).json()
