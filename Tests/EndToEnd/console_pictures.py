"""Pictures of the console's pages, of a service with a season of campaigns and consents in it.

    .venv/bin/python Tests/EndToEnd/console_pictures.py FOLDER [PATH…]
    .venv/bin/python Tests/EndToEnd/console_pictures.py --readme

A path may name the organization as ORG, its best known message as MESSAGE, and the page of a person as CASE. Each page is
shown at 1280 and 390 pixels, light and dark. With --readme the pictures of docs/pictures are made."""

import base64
import random
import re
import sys
import tempfile
from datetime import timedelta
from pathlib import Path

from harness import times, wire
from harness.browsing import chromium, show
from harness.campaign import APPLE, BROWSER, GMAIL, OUTLOOK, SCANNER
from harness.client import Operator, person
from harness.eventually import eventually
from harness.metrics import scrape
from harness.moving_clock import DAY, HOUR, MovingClock
from harness.service import Service

METHODS = ["preference centre", "checkout", "newsletter form", "call centre"]
PATHS = [
    "/orgs/ORG/campaigns", "/orgs/ORG/campaigns/MESSAGE", "/orgs/ORG/consent", "/orgs/ORG/person", "CASE", "/orgs/ORG/decisions",
    "/orgs/ORG/decisions/sample?seed=a-seed", "/orgs/ORG/ledger", "/orgs/ORG/access", "/orgs/ORG/keys", "/orgs/ORG/processing",
    "/health", "/organizations", "/signing-keys", "/upkeep", "/sessions",
]  # fmt: skip
# The pictures of the README, by the page that they show.
README = {"console-message": "/orgs/ORG/campaigns/MESSAGE", "console-health": "/health"}
WIDTHS = (1280, 390)
CAMPAIGNS = [
    ("Spring catalogue", ["catalogue"], 26, 0.42), ("Members’ evening", ["event"], 22, 0.61),
    ("Delivery survey", ["service"], 18, 0.17), ("Late summer sale", ["sale"], 13, 0.34),
    ("Autumn catalogue", ["catalogue"], 6, 0.38), ("Winter preview", ["catalogue", "preview"], 2, 0.27),
]  # fmt: skip


class Season:
    """Some weeks of an organization: consents first, then a campaign every few days, whose readers come by and by."""

    def __init__(self, folder, people=420):
        self.clock = MovingClock(folder)
        self.service = Service(folder, has_console=True, settings=self.clock.settings)
        self.service.start()
        self.org = Operator(self.service).make("restrictive", id="northwind")
        self.org.set(name="Northwind Outfitters")
        self.people = [person(f"reader{number}") for number in range(people)]
        self.rng = random.Random(17)
        self.message = None

    def stop(self):
        return self.service.stop()

    def _go_to(self, offset):
        steps = scrape(self.service).total("consentlink_clock_steps_total")
        self.clock.set(offset)
        eventually(lambda: scrape(self.service).total("consentlink_clock_steps_total") > steps)

    def consents(self):
        """Imported with the times at which they were said."""
        now, records = times.now(), []
        for number, recipient in enumerate(self.people):
            said = now - timedelta(days=self.rng.triangular(0, 60, 20), hours=1)
            draw = self.rng.random()
            if draw > 0.86:
                continue
            record = {"recipient": recipient, "state": "given" if draw < 0.7 else "refused", "occurredAt": times.render(said)}
            if record["state"] == "given":
                end = said + timedelta(days=self.rng.choice([25, 45, 80, 120, 365]))
                record["validUntil"] = times.render(max(end, said + timedelta(days=1)))
                record["evidence"] = self._evidence(number)
                if record["evidence"] is None:
                    del record["evidence"]
            records.append(record)
            if record["state"] == "given" and self.rng.random() < 0.12:
                later = said + (now - said) * self.rng.uniform(0.2, 0.98)
                records.append({"recipient": recipient, "state": "withdrawn", "occurredAt": times.render(later)})
        for start in range(0, len(records), 100):
            self.org.record_all(records[start : start + 100])

    def _evidence(self, number):
        if number % 11 == 0:
            return None
        evidence = {"method": self.rng.choices(METHODS, [6, 4, 3, 1])[0]}
        if number % 7:
            evidence["notice"] = {"id": "privacy", "version": self.rng.choice(["2026-03", "2026-09", "2026-09"])}
        return evidence

    def campaigns(self):
        # An organization counts interactions from when it was made, so the season is ahead of today.
        for name, tags, _, eagerness in CAMPAIGNS:
            self._campaign(name, tags, eagerness)

    def _campaign(self, name, tags, eagerness):
        names = ["Boots", "Rain jackets", "Tents", "Read the story"]
        links = "".join(f'<p><a href="https://shop.example/{each.lower().replace(" ", "-")}?c={name[0]}">{each}</a></p>' for each in names)
        content = {"name": name, "html": f"<html><body>{links}</body></html>", "openTracking": True, "tags": tags}
        audience = self.rng.sample(self.people, k=self.rng.randint(len(self.people) // 2, len(self.people)))
        composed = self.org.compose(audience, content, format="email")
        tracked = [entry for entry in composed.payloads if entry["tracked"]]
        acts = []
        for entry in tracked:
            html = entry["payload"]["html"]
            hrefs = re.findall(r'<a href="([^"]+)"', html)
            (pixel,) = re.findall(r'<img src="([^"]+)"', html)
            agent = self.rng.choices([BROWSER, APPLE, GMAIL, OUTLOOK, None], [30, 25, 20, 5, 20])[0]
            hour = min(int(self.rng.expovariate(1 / 7)), 46)
            if agent:
                acts.append((hour, pixel, agent))
            if self.rng.random() < eagerness:
                for href in self.rng.sample(hrefs, k=self.rng.choices([1, 2], [4, 1])[0]):
                    acts.append((min(hour + self.rng.randint(0, 2), 47), self.rng.choice([href, hrefs[0]]), BROWSER))
            elif self.rng.random() < 0.04:
                acts += [(0, href, SCANNER) for href in hrefs]
        self.acts = getattr(self, "acts", []) + [(name, acts)]
        self.message = composed.message if name == "Autumn catalogue" else self.message

    def read(self):
        """Everybody clicks, hour by hour; all campaigns at once, since the clock goes forward alone."""
        for hour in range(48):
            due = [act for _, acts in self.acts for act in acts if act[0] == hour]
            if not due:
                continue
            self._go_to(hour * HOUR + HOUR // 10)
            for _, link, agent in due:
                wire.follow(link, headers={"User-Agent": agent})
        self._go_to(3 * DAY)


def signed_in(season):
    browser = chromium(tempfile.mkdtemp())
    browser.get(f"{season.service.console}/sign-in")
    browser.find_element("id", "key").send_keys(season.service.operator_key)
    browser.find_element("css selector", "main button").click()
    return browser


def address(season, path, browser):
    if path == "CASE":
        browser.get(f"{season.service.console}/orgs/{season.org.id}/person")
        browser.find_element("id", "recipient").send_keys(season.people[3])
        browser.find_element("id", "reason").send_keys("Complaint 4711")
        browser.find_element("css selector", "main form[method=post] button").click()
        return browser.current_url
    return season.service.console + path.replace("ORG", season.org.id).replace("MESSAGE", season.message or "")


def photograph(season, folder, paths):
    folder.mkdir(parents=True, exist_ok=True)
    browser = signed_in(season)
    for path in paths:
        url = address(season, path, browser)
        for width in WIDTHS:
            for scheme in ("light", "dark"):
                picture(browser, url, folder / f"{slug(path)}-{width}-{scheme}.png", width, scheme)
    browser.quit()


def photograph_for_the_readme(season):
    folder = Path(__file__).resolve().parents[2] / "docs/pictures"
    folder.mkdir(exist_ok=True)
    browser = signed_in(season)
    for name, path in README.items():
        picture(browser, address(season, path, browser), folder / f"{name}.png", 1280, "light", whole=False)
    browser.quit()


def slug(path):
    name = path.replace("/orgs/ORG", "").replace("MESSAGE", "message")
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "first"


def picture(browser, url, file, width, scheme, *, whole=True):
    show(browser, url, width, scheme)
    overflow = browser.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if whole:
        length = browser.execute_script("return document.documentElement.scrollHeight")
        size = {"width": width, "height": min(length, 6000), "deviceScaleFactor": 1, "mobile": width < 500}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    file.write_bytes(base64.b64decode(shot["data"]))
    print(f"{file.name}: {len(browser.page_source)} characters{f', {overflow} pixels too wide' if overflow > 0 else ''}")
    for entry in browser.get_log("browser"):
        print("   ", entry["level"], entry["message"])


def main():
    folder, *paths = sys.argv[1:]
    with tempfile.TemporaryDirectory() as data:
        season = Season(data)
        try:
            season.consents()
            season.campaigns()
            season.read()
            if folder == "--readme":
                photograph_for_the_readme(season)
            else:
                photograph(season, Path(folder), paths or PATHS)
        finally:
            season.stop()


if __name__ == "__main__":
    main()
