"""The cluster that is measured, and what is asked of it."""

import concurrent.futures
import http.client
import json
import os
import re
import shutil
import sys
import tempfile
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

from .. import campaign

ROOT = Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "Deploy/cluster.d"))

from testbed import Cluster  # noqa: E402

ORGANIZATION = campaign.ORGANIZATION
TARGET = "https://shop.example/spring?utm_source=push&utm_campaign=spring"
MESSAGE = {"name": "spring", "link": TARGET}
BATCH = 10_000


class Api:
    """Requests of a backend at one node, one after the other on one connection."""

    def __init__(self, node, key, timeout=60):
        self.node = node
        self.api = node.api
        self.key = key
        self._connection = http.client.HTTPConnection(node.address, urlsplit(node.api).port, timeout=timeout)
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def ask(self, path, body=None, content_type="application/json"):
        """The status and the text of the answer. A connection that was lost is an OSError."""
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        try:
            self._connection.request(
                "GET" if content is None else "POST", f"/v1/orgs{path}", content,
                self._headers | {"Content-Type": content_type})
            answer = self._connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            raise ConnectionError(repr(error)) from error

    def call(self, path, body=None):
        status, text = self.ask(path, body)
        if status not in (200, 201):
            raise SystemExit(f"{self.node.name}: {path}: {status} {text[:500].decode(errors='replace')}")
        return json.loads(text)


class Bed:
    """A cluster with one organization. `nodes`: how many nodes; `flags`: of `consentlink serve`."""

    def __init__(self, binary, *, nodes, flags=()):
        self._folder = Path(tempfile.mkdtemp(prefix="consentlink-nodes-", dir="/tmp"))
        self._folder.chmod(0o755)
        # A build that ends meanwhile must not change what a node is restarted with.
        copy = shutil.copy2(binary, self._folder / "consentlink")
        self.cluster = Cluster(
            self._folder / "cluster", nodes=nodes, small=True, binary=copy, flags=["--log-level", "info", *flags])

    def __enter__(self):
        try:
            self.cluster.start()
        except BaseException:
            self.__exit__()
            raise
        self.nodes = self.cluster.nodes
        self.key = self.cluster.operator_key
        self.apis = [Api(node, self.key) for node in self.nodes]
        self.apis[0].call("", {"id": ORGANIZATION, "enforcement": "restrictive"})
        return self

    def __exit__(self, *_):
        self.cluster.remove()
        shutil.rmtree(self._folder, ignore_errors=True)

    def api(self, node):
        """One of its own, for a thread of its own."""
        return Api(node, self.key)

    def psql(self, sql, timeout=600):
        return self.cluster.primary().psql(sql, database="consentlink", timeout=timeout).strip()

    def script(self, sql, timeout=1800):
        self.cluster.primary().psql_script(sql, database="consentlink", timeout=timeout)

    # What is there before a measurement

    def consents(self, people, state="given"):
        """A consent record of each, over all nodes at once."""
        def record(work):
            api, part = work
            for start in range(0, len(part), BATCH):
                records = [{"recipient": who, "state": state} for who in part[start : start + BATCH]]
                api.call(f"/{ORGANIZATION}/consents", records)

        self._share(people, record)

    def links(self, people, message=MESSAGE):
        """The path of the link that each of them gets in this message; they have consented."""
        def compose(work):
            api, part = work
            found = []
            for start in range(0, len(part), BATCH):
                answer = api.call(f"/{ORGANIZATION}/payloads", {
                    "message": message, "format": "plain", "recipients": part[start : start + BATCH]})
                found += [urlsplit(item["payload"]["link"]).path for item in answer["payloads"]]
            return found

        return [path for part in self._share(people, compose) for path in part]

    def _share(self, people, work):
        size = -(-len(people) // len(self.nodes))
        parts = [(self.api(node), people[number * size : (number + 1) * size]) for number, node in enumerate(self.nodes)]
        with concurrent.futures.ThreadPoolExecutor(len(parts)) as pool:
            return list(pool.map(work, parts))

    # What nodes say

    @staticmethod
    def metrics(node):
        """All samples of a node, by name and labels as they stand there. One that starts may keep its caller waiting."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        for patience in (5, 5, 20, 60):
            try:
                with opener.open(f"{node.api}/metrics", timeout=patience) as answer:
                    page = answer.read().decode()
                break
            except OSError as error:
                print(f"  {node.name} did not answer /metrics in {patience} s: {error}", flush=True)
        else:
            raise SystemExit(f"{node.name} does not answer: {node.log_text()[-3000:]}")
        samples = (line.rpartition(" ") for line in page.splitlines() if line and not line.startswith("#"))
        return {name: float(value) for name, _, value in samples}

    def metric(self, node, name):
        """The sum of all samples of one name."""
        return sum(value for sample, value in self.metrics(node).items() if sample.partition("{")[0] == name)

    def unrecorded(self):
        """How many clicks were not recorded, over all nodes, by reason; only reasons that occurred."""
        found = {}
        for node in self.nodes:
            for sample, value in self.metrics(node).items():
                if sample.startswith("consentlink_clicks_unrecorded_total{") and value:
                    reason = re.search(r'reason="([^"]*)"', sample)[1]
                    found[reason] = found.get(reason, 0) + int(value)
        return found

    def depth(self):
        """How many clicks wait in the spools."""
        return sum(self.metric(node, "consentlink_spool_depth") for node in self.nodes)


def people(count, name="person"):
    return [f"{name}-{number}@people.example" for number in range(count)]


def refuse_unless_root():
    if os.geteuid() != 0:
        raise SystemExit("network namespaces need root")
