"""Several nodes on one PostgreSQL database: what one of them acknowledges holds on all, and none is missed when it ends."""

import concurrent.futures
import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import httpx
import pytest

from harness import exports, postgres, times, tokens, wire
from harness.cable import Cable
from harness.client import Operator, Organization, Refused, assert_problem, message, person, unique
from harness.console import ConsoleBrowser
from harness.eventually import eventually
from harness.metrics import scrape
from harness.moving_clock import HOUR, MovingClock
from harness.nodes import Nodes, click, clicks
from harness.paused_machine import PausedMachine
from harness.service import CommandLine, free_port

@pytest.fixture(scope="module")
def nodes(tmp_path_factory):
    nodes = Nodes(tmp_path_factory.mktemp("nodes"), 3)
    yield nodes
    nodes.end()


def dropped(nodes):
    """Clicks that were written down and that the drain found to have come too late."""
    return sum(scrape(node).total("consentlink_clicks_dropped_total") for node in nodes.all)


class TestWhatOneNodeAcknowledges:
    def test_a_link_of_one_node_leads_on_at_every_other(self, nodes):
        orgs = nodes.organization()
        link = orgs[0].tracked_link()
        for node in nodes.all:
            click(node, link.url)
        assert len(clicks(orgs, link)) == 3

    def test_a_no_to_opens_ends_those_of_one_purpose_at_every_node_and_silence_at_none(self, nodes):
        orgs, who = nodes.organization(), person()
        orgs[0].record(who, "given")
        mail = orgs[0].compose([who], message(html="<p>x</p>", openTracking=True), format="email")
        pixel = re.search(r"/o/[\w-]{54}\.gif", mail.payload(who)["html"])[0]

        def recorded():
            return len(orgs[0].interactions(message=mail.message))

        def opens():
            """How many of the three opens, one at each node, are recorded."""
            before = recorded()
            for node in nodes.all:
                assert wire.ask(node.listen, "GET", pixel).status == 200
            times.next_millisecond()
            clicks(orgs, orgs[0].tracked_link())
            return recorded() - before

        orgs[1].compose([who], message(purposes={"opens": "open-tracking"}))
        assert opens() == 3
        orgs[2].record(who, "refused", purpose="open-tracking", occurredAt=times.from_now(seconds=-9))
        assert opens() == 0
        past = {"occurredAt": times.from_now(seconds=-5), "validUntil": times.from_now(seconds=-1)}
        orgs[0].record(who, "given", purpose="open-tracking", **past)
        # Other nodes may hear of a yes a moment after its answer, and leave an open out until then.
        eventually(lambda: opens() == 3)

    @pytest.mark.parametrize("state", ["withdrawn", "refused", "revoked", "invalidated"])
    def test_a_withdrawal_at_one_node_works_on_the_next_click_at_every_other(self, nodes, state):
        orgs = nodes.organization()
        before = dropped(nodes)
        for turn in range(12):
            link = orgs[turn % 3].tracked_link()
            for node in nodes.all:
                click(node, link.url)
            orgs[(turn + 1) % 3].record(link.recipient, state)
            # No pause: the answer has waited for these nodes.
            for node in nodes.all[turn % 3 :] + nodes.all[: turn % 3]:
                click(node, link.url)
            assert len(clicks(orgs, link)) == 3
        assert dropped(nodes) == before, "a node has written down what it should have known not to"

    def test_consent_that_is_given_anew_with_an_end_that_has_passed_works_as_a_withdrawal(self, nodes):
        orgs = nodes.organization()
        before = dropped(nodes)
        for turn in range(12):
            link = orgs[turn % 3].tracked_link()
            times.next_millisecond()
            given = times.from_now()
            for node in nodes.all:
                click(node, link.url)
            times.next_millisecond()
            end = times.from_now()
            orgs[(turn + 1) % 3].record(link.recipient, "given", occurredAt=given, validUntil=end)
            for node in nodes.all[turn % 3 :] + nodes.all[: turn % 3]:
                click(node, link.url)
            assert len(clicks(orgs, link)) == 3
        assert dropped(nodes) == before, "a node has written down what it should have known not to"

    def test_the_withdrawal_page_of_one_node_ends_recording_at_all(self, nodes):
        orgs = nodes.organization()
        link = orgs[0].tracked_link()
        path = f"/p/{tokens.of_link(link.url)}"
        headers = {"Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"}
        answer = wire.ask(nodes.all[1].listen, "POST", path, headers | {"Content-Length": 0})
        assert answer.status == 200, answer.raw
        for node in nodes.all:
            click(node, link.url)
        assert clicks(orgs, link) == []

    def test_who_is_erased_at_one_node_is_recorded_by_none(self, nodes):
        orgs = nodes.organization()
        link = orgs[0].tracked_link()
        click(nodes.all[1], link.url)
        orgs[2].erase(link.recipient)
        for node in nodes.all:
            click(node, link.url)
        for org in orgs:
            assert [seen["recipient"] for seen in org.interactions(message=link.message)] in ([], [None])

    def test_a_message_that_is_switched_off_at_one_node_is_off_at_all(self, nodes):
        orgs = nodes.organization()
        link = orgs[0].tracked_link()
        for node in nodes.all:
            click(node, link.url)
        orgs[1].expect(200, "POST", orgs[1].path(f"/messages/{link.message}/disable"))
        for node in nodes.all:
            assert wire.ask(node.listen, "GET", f"/r/{tokens.of_link(link.url)}").status == 410
        assert len(clicks(orgs, link)) == 3

    def test_enforcement_and_privacy_control_are_the_same_at_all(self, nodes):
        orgs = nodes.organization("nonRestrictive")
        link = orgs[0].tracked_link(consented=False)
        click(nodes.all[1], link.url)
        orgs[2].set(enforcement="restrictive")
        for node in nodes.all:
            click(node, link.url)
        assert len(clicks(orgs, link)) == 1

    def test_a_key_that_is_removed_at_one_node_opens_none(self, nodes):
        orgs = nodes.organization()
        scoped = orgs[0].with_scopes("read")
        for node in nodes.all:
            Organization(node, scoped.id, scoped.key).expect(200, "GET", scoped.path("/decisions"))
        orgs[1].expect(204, "DELETE", orgs[1].path(f"/keys/{scoped.made['id']}"))
        for node in nodes.all:
            assert Organization(node, scoped.id, scoped.key).call("GET", scoped.path("/decisions")).status_code == 401

    def test_a_request_under_one_key_has_one_effect(self, nodes):
        orgs = nodes.organization()
        recipients = [person() for _ in range(20)]
        body = {"format": "plain", "recipients": recipients, "message": message()}
        headers = {"Idempotency-Key": f'"{unique("key")}"'}

        def compose(org):
            for _ in range(100):
                answer = org.call("POST", org.path("/payloads"), body, headers=headers)
                if answer.status_code != 409:
                    return answer
                time.sleep(0.02)
            raise Refused(answer)

        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            answers = list(pool.map(compose, orgs * 2))
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.text for answer in answers}) == 1
        assert len(orgs[0].decisions()) == 20

    def test_a_feed_gives_each_click_once_whichever_node_is_asked(self, nodes):
        orgs = nodes.organization()
        links = [org.tracked_link() for org in orgs for _ in range(5)]

        def follow(link):
            for node in nodes.all:
                click(node, link.url)

        with concurrent.futures.ThreadPoolExecutor(5) as pool:
            list(pool.map(follow, links))
        seen, after = [], None
        for turn in range(200):
            org = orgs[turn % 3]
            path = org.path("/interactions?limit=7") + (f"&after={after}" if after else "")
            page = org.expect(200, "GET", path).json()
            seen += [item["id"] for item in page["interactions"]]
            after = page["next"] or (page["interactions"][-1]["id"] if page["interactions"] else after)
            if len(seen) >= 45:
                break
        assert len(seen) == len(set(seen)) == 45


class TestTheLedger:
    def test_of_all_nodes_is_one_and_every_checkpoint_agrees(self, nodes, tmp_path):
        orgs = nodes.organization()
        content = message()

        def campaign(org):
            for _ in range(5):
                org.compose([person() for _ in range(60)], content)
                org.record(person(), "given")

        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            list(pool.map(campaign, orgs))
        sizes = []
        for org in orgs * 2:
            head = org.expect(200, "GET", org.path("/ledger/checkpoint")).text
            sizes.append(int(head.splitlines()[1]))
        assert sizes == sorted(sizes)
        assert sizes[-1] == 1 + 3 * 5 * 61
        ids = [decision["id"] for decision in orgs[0].decisions()]
        assert len(set(ids)) == 3 * 5 * 60
        for org in orgs:
            exports.verified_export(org.service, org, tmp_path / f"{org.service.data.parent.name}.tar")


class TestCheckpoints:
    def test_a_node_misses_those_that_it_had_and_no_others(self, own_nodes):
        node = own_nodes.all[1]

        def missing():
            return scrape(node).total("consentlink_checkpoints_missing_total")

        files = node.data / "checkpoints"
        known = own_nodes.organization()[1]
        known.compose([person()])
        assert eventually((files / f"{known.id}.txt").exists)
        assert node.stop() == 0
        node.start()
        assert missing() == 0
        # Others, which this node never signs: made while it runs, and while it is off.
        made = [own_nodes.organization()[0]]
        made[0].compose([person()])
        assert node.stop() == 0
        made.append(Operator(own_nodes.all[0]).make())
        made[1].compose([person()])
        node.start()
        assert missing() == 0
        assert eventually(lambda: all((files / f"{org.id}.txt").exists() for org in made))
        # From now on it has them.
        assert node.stop() == 0
        for org in (known, made[1]):
            (files / f"{org.id}.txt").unlink()
        node.start()
        assert missing() == 2


class TestSigningKeys:
    def test_a_new_key_is_opened_by_all_before_one_signs_with_it(self, nodes):
        orgs = nodes.organization()
        before = orgs[0].tracked_link()
        made = Operator(nodes.all[1]).expect(201, "POST", "/v1/keyring/rotate").json()

        def signing(node):
            keys = Operator(node).expect(200, "GET", "/v1/keyring").json()["keys"]
            return [key["id"] for key in keys if key["signs"]]

        for node in nodes.all:
            assert eventually(lambda: signing(node) == [made["id"]])
        after = orgs[1].tracked_link()
        for node in nodes.all:
            click(node, before.url)
            click(node, after.url)

    def test_no_node_opens_with_a_key_whose_retirement_is_answered(self, own_nodes):
        orgs = own_nodes.organization()
        operator = Operator(own_nodes.all[0])
        for _ in range(5):
            link = orgs[0].tracked_link()
            (signing,) = [
                key["id"] for key in operator.expect(200, "GET", "/v1/keyring").json()["keys"] if key["signs"]]
            operator.expect(201, "POST", "/v1/keyring/rotate")
            operator.expect(204, "POST", f"/v1/keyring/{signing}/retire", {"force": True})
            for node in own_nodes.all:
                assert wire.ask(node.listen, "GET", f"/r/{tokens.of_link(link.url)}").status == 404

    def test_a_node_that_may_still_open_with_a_retired_key_is_named(self, own_nodes):
        other, address = own_nodes.all[1], f"127.0.0.1:{free_port()}"
        asked = own_nodes.add(settings={"CONSENTLINK_CONSOLE_LISTEN": address})
        asked.console = f"http://{address}"
        operator, browser = Operator(asked), ConsoleBrowser(asked).sign_in(asked.operator_key)
        first, second = [
            operator.expect(200, "GET", "/v1/keyring").json()["keys"][-1]["id"],
            operator.expect(201, "POST", "/v1/keyring/rotate").json()["id"],
        ]
        operator.expect(201, "POST", "/v1/keyring/rotate")
        other.process.send_signal(signal.SIGSTOP)
        try:
            operator.expect(204, "POST", f"/v1/keyring/{first}/retire", {"force": True})
            answer = browser.submit("/signing-keys", "/signing-keys/retire", key=second, force="yes")
            shown = browser.follow(answer).text
        finally:
            other.process.send_signal(signal.SIGCONT)
        assert "these nodes may open links with it: links-2." in shown
        lines = [json.loads(line) for line in asked.log_text().splitlines() if '"nodes"' in line]
        assert [(it["level"], it["signingKey"], it["nodes"]) for it in lines if it["level"] == "warning"] == [
            ("warning", str(key), "links-2") for key in (first, second)
        ]
        assert [(it["status"], it["signingKey"], it["nodes"]) for it in lines if it.get("act") == "keyring.retire"] == [
            ("204", str(first), "links-2"), ("done", str(second), "links-2"),
        ]  # fmt: skip


class TestSettingUp:
    def test_nodes_have_slots_and_names_of_their_own(self, nodes):
        def listed():
            return Operator(nodes.all[2]).expect(200, "GET", "/v1/nodes").json()["nodes"]

        assert [(node["name"], node["slot"]) for node in listed()] == [("links-1", 0), ("links-2", 1), ("links-3", 2)]
        # A node that gets no processor is not seen meanwhile.
        eventually(lambda: all(node["state"] == "running" and node["lastSeenSeconds"] <= 2 for node in listed()))

    def test_the_command_line_lists_them(self, nodes):
        shown = CommandLine(nodes.all[0]).ask("node", "list")
        assert shown.returncode == 0, shown.stderr
        assert [line.split()[0] for line in shown.stdout.splitlines()] == ["NODE", "links-1", "links-2", "links-3"]

    def test_secrets_are_in_the_database_only_sealed(self, nodes):
        dump = postgres.server().dump(nodes.database)
        for node in nodes.all:
            for name in ("erasure.key", "ledger.key"):
                secret = (node.data / name).read_bytes()
                assert secret == (nodes.all[0].data / name).read_bytes()
                assert secret.hex() not in dump
            assert node.operator_key not in dump and node.operator_key.encode().hex() not in dump

    def refused(self, node, code=1):
        node.launch()
        assert node.process.wait(timeout=60) == code
        return node.log_text()

    def run(self, node):
        return CommandLine().run(*node.command[1:], settings=node.settings, cwd=node.folder)

    def test_a_node_without_the_key_of_the_others_is_refused(self, nodes):
        done = self.run(nodes.make("stranger"))
        assert done.returncode == 1
        assert "cluster.key" in done.stderr
        assert not (nodes.folder / "stranger" / "data").exists()

    def test_a_node_with_another_key_is_refused(self, nodes):
        key = nodes.folder / "other.key"
        key.write_text(os.urandom(32).hex() + "\n")
        key.chmod(0o600)
        done = self.run(nodes.make("wrong", key=key))
        assert done.returncode == 1
        assert "cluster.key is not the one of the other nodes" in done.stderr
        assert not (nodes.folder / "wrong" / "data").exists()

    @pytest.mark.parametrize("content, mode", [("x", 0o600), ("", 0o600), ("00" * 32, 0o644), (None, None)])
    def test_a_key_file_that_cannot_be_is_refused(self, nodes, content, mode):
        key = nodes.folder / f"{unique('bad')}.key"
        if content is not None:
            key.write_text(content)
            key.chmod(mode)
        done = self.run(nodes.make(unique("bad"), key=key))
        assert done.returncode == 2
        assert "cluster-key" in done.stderr

    def test_the_key_that_was_given_to_a_node_is_needed_once(self, own_nodes):
        key = own_nodes.folder / "given.key"
        shutil.copy(own_nodes.key, key)
        node = own_nodes.make("links-3", key=key)
        node.starts_again = True
        node.start()
        try:
            key.unlink()
            node.restart()
            os.kill(node.process.pid, signal.SIGUSR2)
            node.wait_until_ready()
            key.write_text(os.urandom(32).hex())
            key.chmod(0o600)
            os.kill(node.process.pid, signal.SIGUSR2)
            eventually(lambda: "cluster.key is not the one" in node.log_text())
            assert httpx.get(f"{node.api}/readyz").status_code == 200
        finally:
            assert node.stop() == 0

    def test_the_key_may_come_from_a_pipe(self, own_nodes):
        node = own_nodes.make("links-3")
        line = ["bash", "-c", 'exec "$@" --cluster-key <(cat "$0")', str(own_nodes.key), *node.command]
        node.temporary.mkdir(exist_ok=True)

        def answers():
            try:
                return httpx.get(f"{node.api}/readyz").status_code == 200
            except httpx.TransportError:
                return False

        with node.log.open("ab") as log:
            process = subprocess.Popen(
                line, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log, cwd=node.cwd,
                env=node.environment)
        try:
            eventually(answers)
            assert (node.data / "cluster.key").read_text() == own_nodes.key.read_text()
            process.send_signal(signal.SIGUSR2)
            eventually(lambda: "cluster-key: must name a file that can be read again, not a pipe" in node.log_text())
        finally:
            process.terminate()
            assert process.wait(timeout=20) == 0

    def test_a_second_node_of_one_name_is_refused(self, nodes):
        node = nodes.make("twin", key=nodes.key)
        node.flags[node.flags.index("twin")] = "links-2"
        done = self.run(node)
        assert done.returncode == 1
        assert "another node is called links-2" in done.stderr

    def test_a_copy_of_a_node_s_folder_is_refused_while_the_node_runs(self, nodes):
        node = nodes.make("copy", key=nodes.key)
        shutil.copytree(nodes.all[1].data, node.data)
        node.flags[node.flags.index("copy")] = "links-2"
        done = self.run(node)
        assert done.returncode == 1
        assert "copy of this data folder" in done.stderr
        click(nodes.all[1], nodes.organization()[0].tracked_link().url)


class TestAClockThatIsWrong:
    @pytest.mark.parametrize("milliseconds", [-HOUR, -2_000, 2_000, HOUR])
    def test_of_one_machine_is_no_other_time_of_its_node(self, own_nodes, tmp_path, milliseconds):
        clock = MovingClock(tmp_path)
        clock.set(milliseconds)
        node = own_nodes.add(settings=clock.settings)
        orgs = own_nodes.organization()
        here, wrong = orgs[0], orgs[-1]
        for turn in range(4):
            link = here.tracked_link()
            begun = time.time()
            click(node, link.url)
            times.next_millisecond()
            (here, wrong)[turn % 2].record(link.recipient, "withdrawn")
            click(node, link.url)
            click(own_nodes.all[0], link.url)
            (seen,) = clicks(orgs, link)
            assert begun - 30 < times.parse(seen["occurredAt"]).timestamp() < time.time() + 30
            clock.set(0 if turn == 1 else milliseconds)
        assert httpx.get(f"{node.api}/readyz").status_code == 200


@pytest.mark.crash
class TestANodeThatEnds:
    def test_by_force_starts_again_at_once_and_stores_what_it_had(self, own_nodes):
        one, other = own_nodes.all
        orgs = own_nodes.organization()
        link = orgs[0].tracked_link()
        for _ in range(3):
            for _ in range(20):
                click(other, link.url)
            other.kill()
            other.start()
        assert len(clicks(orgs, link)) == 60

    def test_holds_up_a_withdrawal_for_little_more_than_a_second(self, own_nodes):
        one, other = own_nodes.all
        orgs = own_nodes.organization()
        link = orgs[0].tracked_link()
        click(other, link.url)
        # From here on, because a test that gets no processor records later, when the node is known to be away.
        start = time.monotonic()
        other.process.send_signal(signal.SIGSTOP)
        status = Path(f"/proc/{other.process.pid}/stat")
        eventually(lambda: status.read_text().rpartition(")")[2].split()[0] == "T")
        try:
            orgs[0].record(link.recipient, "withdrawn")
            waited = time.monotonic() - start
        finally:
            other.process.send_signal(signal.SIGCONT)
        # As long as the halted node might have been fresh; a machine under load takes longer.
        assert waited > 0.5
        click(other, link.url)
        assert len(clicks(orgs, link)) == 1

    def test_and_is_away_its_ledger_is_signed_by_another(self, own_nodes):
        one, other = own_nodes.all
        orgs = own_nodes.organization()
        orgs[1].compose([person() for _ in range(10)])
        other.kill()
        size = int(own_nodes.psql(
            f"SELECT max(first_leaf + count) FROM ledger_runs r JOIN organizations o ON o.number = r.organization "
            f"WHERE o.id = '{orgs[0].id}'"))

        def signed():
            note = own_nodes.psql(
                f"SELECT split_part(checkpoint, E'\\n', 2) FROM ledgers l JOIN organizations o "
                f"ON o.number = l.organization WHERE o.id = '{orgs[0].id}'")
            return note.strip() == str(size)

        eventually(signed, within=40)
        other.start()

    def test_and_does_not_come_back_is_removed_and_cannot(self, own_nodes):
        one, other = own_nodes.all
        operator = Operator(one)
        assert_problem(operator.call("DELETE", "/v1/nodes/links-2"), 409)
        assert_problem(operator.call("DELETE", "/v1/nodes/nobody"), 404)
        assert other.stop() == 0
        listed = operator.expect(200, "GET", "/v1/nodes").json()["nodes"]
        assert [node["state"] for node in listed] == ["running", "stopped"]
        removed = CommandLine(one).ask("node", "remove", "links-2")
        assert removed.returncode == 0, removed.stderr
        done = CommandLine().run(*other.command[1:], cwd=other.folder)
        assert done.returncode == 1
        assert "was removed" in done.stderr
        assert Organization(one, "nobody", operator.key).call("GET", "/healthz").status_code == 200

    def test_and_whose_machine_is_lost_comes_back_from_its_backup(self, own_nodes):
        one, other = own_nodes.all
        backup = Path(Operator(other).expect(201, "POST", "/v1/backup").json()["folder"])
        assert (backup / "cluster.key").stat().st_mode & 0o777 == 0o600
        assert not (backup / "node.json").exists()
        other.kill()
        shutil.rmtree(other.data)
        shutil.copytree(backup, other.data)
        flag = other.flags.index("--cluster-key")
        del other.flags[flag : flag + 2]

        def state():
            nodes = Operator(one).expect(200, "GET", "/v1/nodes").json()["nodes"]
            return next(node["state"] for node in nodes if node["name"] == "links-2")

        eventually(lambda: state() == "silent", within=30)
        other.start()
        listed = Operator(one).expect(200, "GET", "/v1/nodes").json()["nodes"]
        assert [(node["name"], node["slot"], node["state"]) for node in listed] == [
            ("links-1", 0, "running"), ("links-2", 1, "running"),
        ]
        click(other, own_nodes.organization()[0].tracked_link().url)

    def test_a_new_signing_key_waits_for_a_node_that_is_away(self, own_nodes):
        one, other = own_nodes.all
        other.kill()
        problem = assert_problem(Operator(one).call("POST", "/v1/keyring/rotate"), 409)
        assert "links-2" in problem["detail"]
        other.start()
        Operator(one).expect(201, "POST", "/v1/keyring/rotate")
        assert len(Operator(one).expect(200, "GET", "/v1/keyring").json()["keys"]) == 2


class TestRoles:
    def test_a_node_for_links_alone_has_no_api(self, own_nodes):
        orgs = own_nodes.organization()
        link = orgs[0].tracked_link()
        node = own_nodes.add(settings={"CONSENTLINK_ROLES": "links"})
        click(node, link.url)
        assert len(clicks(orgs, link, through=[node])) == 1
        assert httpx.get(f"{node.api}/readyz").status_code == 503
        assert httpx.get(f"{node.api}/readyz?for=links").status_code == 200
        here = Organization(node, orgs[0].id, orgs[0].key)
        before = own_nodes.psql("SELECT count(*) FROM consents")
        for method, path, body in (
            ("GET", here.path(), None), ("POST", here.path("/consents"), {"recipient": person(), "state": "given"}),
            ("GET", "/v1/nodes", None),
        ):  # fmt: skip
            assert "api" in assert_problem(here.call(method, path, body), 503)["detail"]
        for path in ("//v1/orgs/" + here.id, "/v1//orgs/" + here.id, "/%761/orgs/" + here.id, "/v1/peer/../orgs/" + here.id):
            answer = wire.ask(node.api.removeprefix("http://"), "GET", path, [("Authorization", f"Bearer {here.key}")])
            assert answer.status in (400, 404, 503), path
        assert own_nodes.psql("SELECT count(*) FROM consents") == before
        assert scrape(node).by("consentlink_job_held", "name") == {"retention": 0}
        assert scrape(node).value("consentlink_ready") == 1
        backup = Operator(node).expect(201, "POST", "/v1/backup").json()
        assert "keyring.json" in {file["name"] for file in backup["files"]}
        assert "not have the role" not in CommandLine(node).run(
            "doctor", "--data", str(node.data), "--api", node.api, settings={"CONSENTLINK_ROLES": "links"}).stdout
        # What it is for includes the page on which a person withdraws, and that holds everywhere.
        click(own_nodes.all[0], link.url)
        assert len(clicks(orgs, link)) == 2

    def test_a_node_for_the_api_alone_is_sent_no_readers_and_redirects_those_who_come(self, own_nodes):
        orgs = own_nodes.organization()
        link = orgs[0].tracked_link()
        node = own_nodes.add(settings={"CONSENTLINK_ROLES": "api"})
        assert httpx.get(f"{node.api}/readyz").status_code == 200
        for door in (node.api, node.public):
            assert httpx.get(f"{door}/readyz?for=links").status_code == 503
        Organization(node, orgs[0].id, orgs[0].key).record(link.recipient, "withdrawn")
        click(node, link.url)
        assert clicks(orgs, link, through=[node]) == []


@pytest.fixture
def cut_off(tmp_path):
    """A node of its own, and one with its own clock behind a cable that the test can cut."""
    nodes = Nodes(tmp_path, 1)
    cable = Cable(nodes.server)
    clock = MovingClock(tmp_path)
    node = nodes.add(url=cable.url(nodes.database), settings=clock.settings)
    nodes.cable, nodes.clock = cable, clock
    eventually(lambda: "the mirror has all messages" in node.log_text())
    yield nodes
    cable.mend()
    nodes.end()
    cable.close()


@pytest.mark.fault
class TestANodeThatIsCutOff:
    @pytest.mark.parametrize("restarts", [False, True])
    def test_records_no_click_of_who_objects_whatever_it_remembers(self, cut_off, restarts):
        one, other = cut_off.all
        orgs = cut_off.organization()
        orgs[0].set(honorGPC=False)
        link = orgs[0].tracked_link()

        def object_at(node):
            return wire.ask(node.listen, "GET", f"/r/{tokens.of_link(link.url)}", {"Sec-GPC": "1"}).status

        def is_recorded():
            """Whether one more such click at the node is. While the node is not fresh, as on a machine that is too
            slow for it, none is."""
            before = len(clicks(orgs, link))
            assert object_at(other) == 302
            return len(clicks(orgs, link)) == before + 1

        eventually(is_recorded)
        recorded = len(clicks(orgs, link))
        cut_off.cable.cut()
        eventually(lambda: httpx.get(f"{other.api}/readyz").status_code == 503)
        if restarts:
            other.kill()
            # Once more when the database is back.
            other.starts_again = True
            other.start()
        orgs[0].set(honorGPC=True)
        assert object_at(other) == 302
        cut_off.cable.mend()
        eventually(lambda: httpx.get(f"{other.api}/readyz").status_code == 200, within=60)
        assert len(clicks(orgs, link)) == recorded, "recorded although the setting was acknowledged"
        orgs[0].set(honorGPC=False)
        eventually(is_recorded)

    @pytest.mark.parametrize("begins", ["killed", "reloaded", "with the machine"])
    def test_and_begins_again_with_a_slow_clock_records_nothing_after_a_withdrawal(self, cut_off, begins):
        one, other = cut_off.all
        orgs = cut_off.organization()
        gone, kept = orgs[0].tracked_link(), orgs[0].tracked_link()
        click(other, gone.url)
        click(other, kept.url)
        assert len(clicks(orgs, gone)) == len(clicks(orgs, kept)) == 1
        cut_off.clock.set(-HOUR)
        cut_off.cable.cut()
        eventually(lambda: httpx.get(f"{other.api}/readyz").status_code == 503)
        self.begin_again(other, begins)
        # Time that follows a slow clock falls behind.
        time.sleep(6)
        orgs[0].record(gone.recipient, "withdrawn")
        click(other, gone.url)
        click(other, kept.url)
        cut_off.cable.mend()
        eventually(lambda: httpx.get(f"{other.api}/readyz").status_code == 200, within=60)
        assert len(clicks(orgs, kept)) == 2
        assert len(clicks(orgs, gone)) == 1, "a click after the withdrawal counts as one before it"

    def begin_again(self, node, how):
        node.starts_again = True
        if how == "reloaded":
            before = len(node.log_text())
            os.kill(node.process.pid, signal.SIGUSR2)
            return eventually(lambda: "links redirect from the mirror" in node.log_text()[before:])
        node.kill()
        if how == "with the machine":
            file = node.data / "node.json"
            content = json.loads(file.read_text())
            content["time"]["boot"] = "an earlier one"
            file.write_text(json.dumps(content))
        node.start()


@pytest.mark.fault
class TestANodeWhoseMachineIsPaused:
    def test_stores_no_click_after_a_withdrawal_by_its_slow_clock(self, tmp_path):
        machine = PausedMachine(tmp_path)
        nodes = Nodes(tmp_path, 1)
        try:
            node = nodes.add(settings=machine.settings)
            orgs = nodes.organization()
            for _ in range(3):
                gone, kept = orgs[0].tracked_link(), orgs[0].tracked_link()
                click(node, gone.url)
                click(node, kept.url)
                assert len(clicks(orgs, gone)) == len(clicks(orgs, kept)) == 1
                waiting = []
                with machine.paused(node):
                    time.sleep(0.2)
                    orgs[0].record(gone.recipient, "withdrawn")
                    time.sleep(1)
                    # Their requests wait at the socket: the node reads them before it polls.
                    for link in (gone, kept) * 2:
                        waiting.append(wire.Connection(node.listen))
                        target = f"/r/{tokens.of_link(link.url)}"
                        waiting[-1].send(wire.request("GET", target, node.listen))
                for connection in waiting:
                    with connection:
                        assert connection.receive().status == 302
                eventually(lambda: httpx.get(f"{node.api}/readyz").status_code == 200, within=60)
                assert len(clicks(orgs, kept)) == 3
                assert len(clicks(orgs, gone)) == 1, "a click after the withdrawal counts as one before it"
        finally:
            nodes.end()


@pytest.mark.fault
class TestWithoutTheDatabase:
    def test_a_node_that_is_set_so_records_nothing(self, tmp_path):
        server = postgres.Server()
        nodes = Nodes(tmp_path, 1, server)
        try:
            node = nodes.add(settings={"CONSENTLINK_STALE_CLICKS": "skip"})
            orgs = nodes.organization()
            link = orgs[0].tracked_link()
            click(node, link.url)
            server.stop_at_once()
            eventually(lambda: httpx.get(f"{node.api}/readyz").status_code == 503)
            spooled = scrape(node).total("consentlink_clicks_spooled_total")
            for _ in range(3):
                click(node, link.url)
            assert scrape(node).total("consentlink_clicks_spooled_total") == spooled
            assert scrape(node).value("consentlink_clicks_unrecorded_total", reason="stale") == 3
            server.start()
            eventually(lambda: httpx.get(f"{node.api}/readyz").status_code == 200, within=60)
            click(node, link.url)
            assert len(clicks(orgs, link)) == 2
        finally:
            nodes.end()
            server.stop()

    def test_links_lead_on_at_every_node_and_their_clicks_are_judged_later(self, tmp_path):
        server = postgres.Server()
        nodes = Nodes(tmp_path, 2, server)
        try:
            orgs = nodes.organization()
            kept, gone = orgs[0].tracked_link(), orgs[0].tracked_link()
            for node in nodes.all:
                click(node, kept.url)
                click(node, gone.url)
            orgs[1].record(gone.recipient, "withdrawn")
            server.stop_at_once()
            for node in nodes.all:
                eventually(lambda: httpx.get(f"{node.api}/readyz").status_code == 503)
                assert httpx.get(f"{node.api}/readyz?for=links").status_code == 200
                assert httpx.get(f"{node.public}/readyz?for=links").status_code == 200
                for link in (kept, gone):
                    click(node, link.url)
            server.start()
            for node in nodes.all:
                eventually(lambda: httpx.get(f"{node.api}/readyz").status_code == 200, within=60)
            assert len(clicks(orgs, kept)) == 4
            assert len(clicks(orgs, gone)) == 2
        finally:
            nodes.end()
            server.stop()

    def test_a_node_that_ended_meanwhile_is_not_forgotten_with_its_clicks(self, tmp_path):
        server = postgres.Server()
        nodes = Nodes(tmp_path, 2, server)
        one, other = nodes.all
        try:
            orgs = nodes.organization()
            link = orgs[0].tracked_link()
            click(other, link.url)
            assert len(clicks(orgs, link)) == 1
            server.stop_at_once()
            eventually(lambda: httpx.get(f"{other.api}/readyz").status_code == 503)
            click(other, link.url)
            other.stop()
            server.start()
            eventually(lambda: httpx.get(f"{one.api}/readyz").status_code == 200, within=60)

            def state():
                return Operator(one).expect(200, "GET", "/v1/nodes").json()["nodes"][1]["state"]

            eventually(lambda: state() == "silent", within=30)
            refused = CommandLine(one).ask("node", "remove", "links-2")
            assert refused.returncode != 0 and "did not say that it ended" in refused.stderr
            moved = CommandLine(one).run(
                "migrate", "--data", str(one.data), "--to", f"sqlite:{one.data}",
                settings={"CONSENTLINK_STORAGE": nodes.url})
            assert moved.returncode != 0 and "links-2 (it did not say that it ended)" in moved.stderr, moved.stderr
            other.start()
            eventually(lambda: httpx.get(f"{other.api}/readyz").status_code == 200, within=60)
            assert len(clicks(orgs, link)) == 2
            assert other.stop() == 0
            removed = CommandLine(one).ask("node", "remove", "links-2")
            assert removed.returncode == 0, removed.stderr
        finally:
            nodes.end()
            server.stop()
