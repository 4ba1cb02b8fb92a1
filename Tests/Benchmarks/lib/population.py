"""A growing organization: people who consented, messages, and the links of samples of both."""

import json
import os
import random
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

from . import campaign, load, servers

ORGANIZATION = f"/{campaign.ORGANIZATION}"
# Makes messages and composes each for a few recipients, as many as MESSAGES says; writes down the links.
MAKING = """
local made, wanted, first = 0, tonumber(os.getenv("MESSAGES")), tonumber(os.getenv("FIRST"))
local asked, share, people = 0, tonumber(os.getenv("SHARE")), tonumber(os.getenv("PEOPLE"))
local out = io.open(os.getenv("LINKS") .. ".part", "w")
local headers = { ["Authorization"] = "Bearer " .. os.getenv("KEY"), ["Content-Type"] = "application/json" }
local verified = false
request = function()
  local number, recipients = first + asked, {}
  -- wrk asks for one request that it does not send.
  if asked >= wanted or not verified then verified = true; return wrk.format("GET", "/healthz") end
  asked = asked + 1
  for place = 1, share do
    recipients[place] = string.format('"person-%d@people.example"', (number * share + place) % people)
  end
  return wrk.format("POST", os.getenv("ASKED"), headers, string.format(
    '{"message":{"name":"grown-%d","link":"https://shop.example/spring/%d"},"format":"plain","recipients":[%s]}',
    number, number, table.concat(recipients, ",")))
end
response = function(status, _, body)
  if status ~= 200 then io.stderr:write(status, " ", body, "\\n"); os.exit(1) end
  if not body:find('"payloads"', 1, true) then return end
  for link in body:gmatch('"link":"[^"]-(/r/[^"]+)"') do out:write(link, "\\n") end
  made = made + 1
  -- That the file has its name says that all are made.
  if made == wanted then out:close(); os.rename(os.getenv("LINKS") .. ".part", os.getenv("LINKS")) end
end
"""


def person(number):
    return f"person-{number}@people.example"


class Population:
    """The people and messages of one organization of a service."""

    def __init__(self, service):
        self.service, self.people, self.messages, self._made = service, 0, 0, 0
        self.folder = Path(tempfile.mkdtemp(prefix="population-", dir=service.folder))
        service.call("", {"id": campaign.ORGANIZATION, "enforcement": "restrictive"})

    def consents(self, numbers, state):
        """A consent record of each, in arrays."""
        for start in range(0, len(numbers), campaign.BATCH):
            self.service.call(f"{ORGANIZATION}/consents", [
                {"recipient": person(number), "state": state} for number in numbers[start : start + campaign.BATCH]])

    def grow_people(self, count):
        self.consents(range(self.people, count), "given")
        self.people = count

    def sample(self, count):
        """`count` people in random order, each once; all of them if there are fewer."""
        return [person(number) for number in random.sample(range(self.people), min(count, self.people))]

    def compose(self, recipients, **order):
        """A payload for each of these people, in batches, of a new message unless `order` has a `messageId`. Returns the
        message's id, and the paths of the links where the format is `plain`."""
        self._made += 1
        body = {"format": "plain"} | order
        if "messageId" not in body:
            body["message"] = {
                "name": f"sample-{self._made}", "title": "Spring sale", "link": f"https://shop.example/sample/{self._made}"}
        paths = []
        for start in range(0, len(recipients), campaign.BATCH):
            answer = self.service.call(f"{ORGANIZATION}/payloads", body | {"recipients": recipients[start : start + campaign.BATCH]})
            if body["format"] == "plain":
                paths += [urlsplit(item["payload"]["link"]).path for item in answer["payloads"]]
        return answer["message"], paths

    def compose_for_first(self, count):
        """A new message for the first `count` people, with `consentlink compose`. Returns the message's id."""
        self._made += 1
        order, people = self.folder / "order.json", self.folder / "people.txt"
        order.write_text(
            f'{{"message":{{"name":"first-{self._made}","link":"https://shop.example/all/{self._made}"}},"format":"plain"}}')
        with people.open("w") as file:
            file.writelines(f"{person(number)}\n" for number in range(count))
        done = subprocess.run(
            ["taskset", "-c", load.CORE, self.service.binary, "compose", order, people, "--org", campaign.ORGANIZATION,
             "--json", "--api", self.service.api, "--output", "/dev/null"],
            env={**os.environ, "CONSENTLINK_KEY": self.service.key}, stdout=subprocess.PIPE, text=True, check=True)
        people.unlink()
        return json.loads(done.stdout)["message"]

    def grow_messages(self, count, links):
        """Makes messages until there are `count`. Each new one is composed for as many people as make `links` links in
        all, one at least. Returns the links' paths."""
        new = count - self.messages
        share = min(self.people, max(1, links // new))
        found = self.folder / "links.txt"
        found.unlink(missing_ok=True)
        (self.folder / "making.lua").write_text(MAKING)
        settings = {
            "MESSAGES": new, "FIRST": self.messages, "SHARE": share, "PEOPLE": self.people, "LINKS": found,
            "KEY": self.service.key, "ASKED": f"/v1/orgs{ORGANIZATION}/payloads"}
        making = subprocess.Popen(
            ["taskset", "-c", load.CORE, "wrk", "-t1", "-c16", "-d24h", "--timeout", "60s", "-s", self.folder / "making.lua",
             self.service.api],
            env={**os.environ, **{name: str(value) for name, value in settings.items()}}, stdout=subprocess.DEVNULL)
        while not found.exists():
            if making.poll() is not None:
                raise SystemExit("a message was refused")
            time.sleep(0.05)
        # wrk itself ends after its time alone.
        making.terminate()
        making.wait()
        paths = found.read_text().split("\n")[:-1]
        if len(paths) != new * share:
            raise SystemExit(f"{len(paths):,} links were made, not {new * share:,}")
        self.messages = count
        return paths


def cost(service, work):
    """Microseconds of the service's processor that `work` took."""
    before = servers.cpu_seconds(service.pids)
    work()
    return (servers.cpu_seconds(service.pids) - before) * 1e6
