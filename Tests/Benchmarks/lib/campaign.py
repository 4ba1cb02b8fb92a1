"""A campaign: recipients with consent, messages, and the links that were composed for them."""

import random
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

from . import lines

ORGANIZATION = "benchmark"
BATCH = 10_000


@dataclass
class Link:
    path: str
    tracking_id: str
    message: str


def compose(service, *, messages, recipients):
    """Every recipient gets one of the messages; the links come in no order."""
    service.call("", {"id": ORGANIZATION, "enforcement": "restrictive"})
    people = [f"person-{number}@people.example" for number in range(recipients)]
    for start in range(0, recipients, BATCH):
        records = [{"recipient": person, "state": "given"} for person in people[start : start + BATCH]]
        service.call(f"/{ORGANIZATION}/consents", records)
    links = []
    share = recipients // messages
    for number in range(messages):
        answer = service.call(f"/{ORGANIZATION}/payloads", {
            "message": {"name": f"message-{number}", "link": f"https://shop.example/spring/{number}?utm_source=push&utm_campaign=c{number}"},
            "format": "plain", "recipients": people[number * share : (number + 1) * share]})
        for item in answer["payloads"]:
            payload = item["payload"]
            links.append(Link(urlsplit(payload["link"]).path, payload["trackingId"], answer["message"]))
    random.Random(1).shuffle(links)
    return links


def events(links):
    return [f"/api/v1.0/orgs/{ORGANIZATION}/pushchannel/event/trackings/{link.tracking_id}" for link in links]


def clicks(service):
    total, after = 0, "0"
    while True:
        page = service.call(f"/{ORGANIZATION}/interactions?type=PushLinkClicked&limit=1000&after={after}")
        total += len(page["interactions"])
        after = page["cursor"]
        if page["next"] is None:
            return total


def count_lines(service):
    """The number of clicks in the store, read as one stream: for millions of them."""
    return lines.read(service, f"/{ORGANIZATION}/interactions?type=PushLinkClicked", "application/x-ndjson")


def report(service, answered, in_flight):
    """Every 302 that was seen must be in the store; what was in flight when a run ended may be there as well."""
    last, stored = -1, clicks(service)
    while stored != last:
        time.sleep(3)
        last, stored = stored, clicks(service)
    print(f"\n302s seen {answered:,}, clicks in the store {stored:,}, in flight when a run ended at most {in_flight:,}")
    if not answered <= stored <= answered + in_flight:
        raise SystemExit("THE COUNTS DO NOT AGREE")
