"""`consentlink compose`: a payload for a line, in order, over connections that break and services that end."""

import json
import os
import random
import re
import select
import signal
import subprocess
import time

import pytest

from harness import wire
from harness.client import Operator, message, person, unique
from harness.cutting import CuttingProxy
from harness.eventually import eventually
from harness.interrupted import Sending, interrupt
from harness.service import free_port
from harness.terminal import drawn

# Decisions of lines whose answer was lost, each time.
MOST_LOST = 1_000


class Composing(Sending):
    """`consentlink compose` of one message."""

    command = ("compose", "message.json")

    def __init__(self, *where, **options):
        super().__init__(*where, **options)
        self.output = self.folder / "payloads.ndjson"
        self.content = message()
        self.order({"message": self.content, "format": "plain"})

    def order(self, order):
        (self.folder / "message.json").write_text(order if isinstance(order, str) else json.dumps(order, indent=2))

    def recipients(self, people, name="recipients.txt"):
        file = self.folder / name
        file.write_bytes("".join(f"{one}\n" for one in people).encode() if isinstance(people, list) else people)
        return name

    def to_file(self, recipients, *more):
        return self.run(recipients, "--output", self.output.name, *more)

    def answers(self):
        return lines(self.output.read_text())

    def wait_for_answers(self, count):
        """Until as many lines stand in the file."""
        eventually(lambda: self.output.exists() and self.output.read_bytes().count(b"\n") >= count, within=60)


def is_full(pipe):
    return not select.select([], [pipe], [], 0)[1]


def lines(text):
    assert text == "" or text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def people(count):
    mark = unique("reader")
    return [f"{number}-{mark}@people.example" for number in range(count)]


def assert_whole(answers, expected):
    """No recipient's payload twice, none missing, in order; each of a decision of its own."""
    assert [answer["recipient"] for answer in answers] == expected
    assert len({answer["decision"]["id"] for answer in answers}) == len(expected)


def assert_decided(org, answers, breaks):
    """Every payload's decision is stored; few others are."""
    decided = {entry["id"] for entry in org.decisions(limit=1000)}
    answered = {answer["decision"]["id"] for answer in answers}
    assert answered <= decided
    assert len(decided - answered) <= MOST_LOST * breaks


def decided_at_last(org):
    """How many decisions there are once there are some, and no more."""
    count = -1
    while count != (count := len(org.decisions(limit=1000))) or count == 0:
        time.sleep(0.3)
    return count


@pytest.fixture
def composing(org, tmp_path):
    return Composing(org, tmp_path)


class TestAnswers:
    def test_each_recipient_has_a_payload(self, org, composing):
        everybody = people(2_500)
        org.record_all([{"recipient": who, "state": "given"} for who in everybody[::2]])
        done = composing.to_file(composing.recipients(everybody))
        assert done.returncode == 0 and done.stderr == ""
        answers = composing.answers()
        assert_whole(answers, everybody)
        assert [answer["tracked"] for answer in answers] == [place % 2 == 0 for place in range(2_500)]
        assert wire.follow(answers[0]["payload"]["link"]).header("Location") == composing.content["link"]
        assert_decided(org, answers, breaks=0)
        stored = org.make_message(composing.content)["id"]
        for told in (stored, "2,500", "1,250"):
            assert told in done.stdout

    def test_the_summary_for_programs_is_one_document(self, org, composing):
        org.record_all([{"recipient": "ana@people.example", "state": "given"}])
        done = composing.to_file(composing.recipients(["ana@people.example", "", "bo@people.example"]), "--json")
        assert done.returncode == 1
        summary = json.loads(done.stdout)
        (refusal,) = summary.pop("refusals")
        assert (refusal["line"], refusal["status"]) == (2, 422) and refusal["detail"]
        assert summary == {
            "message": org.make_message(composing.content)["id"],
            "unsupportedMembers": [], "lines": 3, "payloads": 2, "tracked": 1, "refused": 1, "connections": 1,
        }  # fmt: skip

    def test_the_summary_names_what_no_payload_has(self, composing):
        content = message(actions=[{"id": "a", "title": "A"}], badge=1)
        composing.order({"message": content, "format": "dynamics365", "platform": "android"})
        file = composing.recipients(["ana@people.example"])
        assert "actions, badge" in composing.to_file(file).stdout
        composing.output.unlink()
        assert json.loads(composing.to_file(file, "--json").stdout)["unsupportedMembers"] == ["actions", "badge"]

    def test_standard_input_goes_to_standard_output(self, composing):
        everybody = people(30)
        done = composing.run("-", given="".join(f"{who}\n" for who in everybody).encode())
        assert done.returncode == 0
        assert_whole(lines(done.stdout), everybody)
        assert "30" in done.stderr

    def test_wait_for_the_reader_of_a_standard_output_that_does_not_block(self, composing):
        everybody = people(2_000)
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        process = composing.start(composing.recipients(everybody), stdout=writing)
        text = b""
        while process.poll() is None:
            # A little at a time: the command finds the pipe full again and again.
            eventually(lambda: process.poll() is not None or is_full(writing), within=60, every=0.001)
            if process.poll() is None:
                text += os.read(reading, 1 << 14)
        os.close(writing)
        with open(reading, "rb") as answers:
            text += answers.read()
        assert process.returncode == 0, process.stderr.read()
        process.stderr.close()
        assert_whole(lines(text.decode()), everybody)

    def test_a_line_is_answered_while_more_are_awaited(self, composing):
        process = composing.start("-", stdin=subprocess.PIPE)
        try:
            for _ in range(3):
                who = person()
                process.stdin.write(f"{who}\n".encode())
                process.stdin.flush()
                assert json.loads(process.stdout.readline())["recipient"] == who
            process.stdin.close()
            assert process.stdout.read() == b""
            assert process.wait(60) == 0
        finally:
            process.kill()

    def test_of_nobody_are_none(self, org, composing):
        done = composing.to_file(composing.recipients([]))
        assert done.returncode == 0 and "There are no recipients in recipients.txt." in done.stderr
        assert composing.answers() == [] and org.decisions() == []

    def test_of_nobody_from_a_service_that_is_not_there_is_a_failure(self, org, tmp_path):
        composing = Composing(org, tmp_path, api=f"http://127.0.0.1:{free_port()}")
        done = composing.to_file(composing.recipients([]))
        assert done.returncode == 1 and "connection refused" in done.stderr

    def test_go_to_standard_output_where_a_dash_is_named(self, composing):
        everybody = people(3)
        done = composing.run(composing.recipients(everybody), "--output", "-")
        assert done.returncode == 0, done.stderr
        assert_whole(lines(done.stdout), everybody)
        assert not (composing.folder / "-").exists()

    @pytest.mark.parametrize(
        ("name", "more", "line"),
        [
            ("people.ndjson", [], '"{}"'),
            ("people.jsonl", [], '  "{}"  '),
            ("people", ["--json-lines"], '"{}"\r'),
            ("people.txt", [], "{}"),
            ("people.txt", [], "{}\r"),
        ],
    )
    def test_recipients_are_plain_text_or_json_strings(self, composing, name, more, line):
        everybody = people(3)
        text = "\n".join(line.format(who) for who in everybody)
        done = composing.to_file(composing.recipients(text.encode(), name), *more)
        assert done.returncode == 0, done.stderr
        assert_whole(composing.answers(), everybody)

    @pytest.mark.parametrize("who", ['a"b\\c', "Ünïcode 人 😀", " spaces kept ", "a b", "{}", "null", '"quoted"'])
    def test_plain_text_is_the_recipient_byte_for_byte(self, composing, who):
        more = ["--text"] if who.startswith(('"', " ")) else []
        done = composing.to_file(composing.recipients(f"{who}\n".encode()), *more)
        assert done.returncode == 0, done.stderr
        assert_whole(composing.answers(), [who])

    @pytest.mark.parametrize("line", ['"{}"', '"{}","Ana"', "\ufeff\"{}\""])
    def test_quotes_are_nobodys_name_unless_that_is_said(self, org, composing, line):
        first, second = people(2)
        text = line.format(first) if line.startswith("\ufeff") else f"{first}\n{line.format(second)}"
        done = composing.to_file(composing.recipients(text.encode()))
        assert done.returncode == 2 and "begins with a quote" in done.stderr and "--json-lines" in done.stderr
        assert ("line 1" if line.startswith("\ufeff") else "line 2") in done.stderr
        assert all(entry["recipient"] == first for entry in org.decisions())
        assert first not in done.stderr and second not in done.stderr

    @pytest.mark.parametrize("line", [" {}", "{} ", "\t{}", "{}\u00a0", "\u200b{}", "\u202a{}\u202c", "{}\u200e"])
    def test_white_space_is_nobodys_name_unless_that_is_said(self, org, composing, line):
        first, second = people(2)
        done = composing.to_file(composing.recipients(f"{first}\n{line.format(second)}\n".encode()))
        assert done.returncode == 2 and "line 2 of the recipients begins or ends with white space" in done.stderr
        assert "--text" in done.stderr and second not in done.stderr
        assert all(entry["recipient"] == first for entry in org.decisions())

    def test_a_byte_order_mark_is_nobodys_name(self, composing):
        everybody = people(2)
        done = composing.to_file(composing.recipients(b"\xef\xbb\xbf" + "\r\n".join(everybody).encode()))
        assert done.returncode == 0, done.stderr
        assert_whole(composing.answers(), everybody)

    def test_a_stored_message_is_composed_by_its_id(self, org, composing):
        stored = org.make_message(message())["id"]
        composing.order({"messageId": stored, "format": "dynamics365", "platform": "ios"})
        assert composing.to_file(composing.recipients(people(1))).returncode == 0
        assert [entry["message"] for entry in org.decisions()] == [stored]


BAD_LINES = {
    "empty": (b"", 422),
    "not UTF-8": (b"\xff\xfe", 400),
    "a control character": (b"a\x07b", 422),
    "a null byte": (b"a\0b", 422),
    "too long a recipient": (b"a" * 257, 422),
    "too long a line": (b"a" * 100_000, 413),
}


class TestRefusedLines:
    @pytest.mark.parametrize("kind", BAD_LINES)
    def test_are_named_and_the_others_composed(self, org, composing, kind):
        line, status = BAD_LINES[kind]
        everybody = people(3)
        rows = [line, everybody[0].encode(), line, *(who.encode() for who in everybody[1:]), line]
        done = composing.to_file(composing.recipients(b"\n".join(rows) + b"\n"))
        assert done.returncode == 1
        answers = composing.answers()
        assert [answer.get("recipient") for answer in answers] == [None, everybody[0], None, *everybody[1:], None]
        assert [answer["error"]["status"] for answer in answers if "error" in answer] == [status] * 3
        assert re.findall(r"line (\d+):", done.stdout) == ["1", "3", "6"]
        assert [entry["recipient"] for entry in org.decisions()] == everybody

    def test_are_not_all_listed_when_there_are_many(self, composing):
        done = composing.to_file(composing.recipients(b"\n" * 1_234))
        assert done.returncode == 1
        assert "1,234" in done.stdout and len(re.findall(r"line \d+:", done.stdout)) == 10
        assert "1,224 more" in done.stdout

    def test_are_not_shown_with_what_stood_in_them(self, composing):
        done = composing.to_file(composing.recipients(b"secret\x07@people.example\n"))
        assert done.returncode == 1
        assert "secret" not in done.stdout + done.stderr


class TestRefusals:
    """What is wrong with the whole of it: nothing is composed."""

    def assert_refused(self, done, code, *told):
        assert done.returncode == code, done.stderr
        assert done.stdout == ""
        for one in told:
            assert one in done.stderr

    def test_of_an_unknown_message(self, org, composing):
        composing.order({"messageId": "1234567812345678", "format": "plain"})
        self.assert_refused(composing.run(composing.recipients(people(3))), 1, "/messageId")
        assert org.decisions() == []

    def test_of_a_message_that_does_not_fit(self, org, composing):
        composing.order({"message": message(link="javascript:alert(1)"), "format": "plain"})
        self.assert_refused(composing.run(composing.recipients(people(3))), 1, "/message/link")
        assert org.decisions() == []

    def test_does_not_wait_for_standard_input(self, composing):
        composing.order({"format": "plain"})
        process = composing.start("-", stdin=subprocess.PIPE)
        try:
            assert process.wait(30) == 1
        finally:
            process.kill()

    def test_of_a_key_without_the_scope(self, org, tmp_path):
        composing = Composing(org, tmp_path, key=org.with_scopes("read", "consent").key)
        self.assert_refused(composing.run(composing.recipients(people(3))), 1)
        assert org.decisions() == []

    def test_of_an_unknown_key(self, org, tmp_path):
        composing = Composing(org, tmp_path, key="clk_wrong")
        self.assert_refused(composing.run(composing.recipients(people(3))), 1)

    def test_of_a_service_that_is_not_there(self, org, tmp_path):
        nowhere = f"127.0.0.1:{free_port()}"
        composing = Composing(org, tmp_path, api=f"http://{nowhere}")
        self.assert_refused(composing.run(composing.recipients(people(3))), 1, nowhere)

    @pytest.mark.parametrize("text", ["", "{", '{"format":"plain","format":"plain"}', "\xff"])
    def test_of_a_file_that_is_no_json(self, composing, text):
        composing.order(text)
        (composing.folder / "message.json").write_bytes(text.encode("latin-1"))
        self.assert_refused(composing.run(composing.recipients(people(3))), 2, "message.json")

    def test_of_files_that_are_not_there(self, composing):
        self.assert_refused(composing.run("nobody.txt"), 2, "nobody.txt")
        self.assert_refused(composing.run("."), 2)
        (composing.folder / "message.json").unlink()
        self.assert_refused(composing.run(composing.recipients(people(3))), 2, "message.json")

    @pytest.mark.parametrize("more", [["--resume"], ["--patience", "0"], ["--org", "no/org"], ["--fly"]])
    def test_of_wrong_usage(self, composing, more):
        self.assert_refused(composing.run(composing.recipients(people(3)), *more), 2)

    def test_of_an_output_that_has_something_in_it(self, org, composing):
        composing.output.write_text("precious\n")
        self.assert_refused(composing.to_file(composing.recipients(people(3))), 2, "--resume")
        assert composing.output.read_text() == "precious\n"
        assert org.decisions() == []

    def test_of_an_output_that_cannot_be_written(self, composing):
        done = composing.run(composing.recipients(people(3_000)), "--output", "/dev/full")
        self.assert_refused(done, 1, "/dev/full")


@pytest.mark.timeout(300)
class TestBrokenConnections:
    def test_are_gone_on_after_with_the_line_after_the_last_answered(self, org, tmp_path):
        everybody = people(20_000)
        org.record_all([{"recipient": who, "state": "given"} for who in everybody[:10_000]])
        # In the first lines, before the head, in it, and anywhere.
        cuts = [1_000, 0, 20, *(random.randint(300, 500_000) for _ in range(6))]
        with CuttingProxy(org.service.api_listen, cuts) as proxy:
            composing = Composing(org, tmp_path, api=proxy.url)
            done = composing.to_file(composing.recipients(everybody), "--json")
        assert done.returncode == 0, done.stderr
        assert proxy.broken == len(cuts)
        assert json.loads(done.stdout)["connections"] == proxy.connections == proxy.broken + 1
        assert_whole(composing.answers(), everybody)
        assert_decided(org, composing.answers(), breaks=proxy.broken)

    def test_can_lose_no_more_than_was_sent_ahead_whatever_stands_between(self, org, tmp_path):
        """Something that takes in all answers and passes none on, as a proxy with large buffers may."""
        with CuttingProxy(org.service.api_listen, [1_000], swallows=True) as proxy:
            composing = Composing(org, tmp_path, api=proxy.url)
            process = composing.start(composing.recipients(people(20_000)), "--output", composing.output.name)
            try:
                decided = decided_at_last(org)
            finally:
                interrupt(process)
        answered = composing.output.read_bytes().count(b"\n")
        assert answered < 10 < decided
        assert decided - answered <= MOST_LOST

    def test_lose_no_line_of_standard_output(self, org, tmp_path):
        everybody = people(6_000)
        with CuttingProxy(org.service.api_listen, [5_000, 100_000, 400_000]) as proxy:
            composing = Composing(org, tmp_path, api=proxy.url)
            done = composing.run(composing.recipients(everybody))
        assert done.returncode == 0, done.stderr
        assert proxy.broken == 3
        assert_whole(lines(done.stdout), everybody)

    def test_are_not_tried_forever(self, own_service, own_org, tmp_path):
        composing = Composing(own_org, tmp_path)
        process = composing.start("-", "--patience", "2", stdin=subprocess.PIPE)
        who = person()
        process.stdin.write(f"{who}\n".encode())
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["recipient"] == who
        own_service.kill()
        assert process.wait(60) == 1
        said = process.stderr.read().decode()
        assert own_service.api in said and "1 line is answered" in said and who not in said
        own_service.start()

    def test_a_reader_that_goes_away_ends_it(self, composing):
        process = composing.start(composing.recipients(people(50_000)))
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(60) != 0


class Feed:
    """A command that reads its recipients from standard input, as many of them as the test has let go of by then."""

    def __init__(self, composing, everybody, *more):
        self.composing = composing
        self.everybody = everybody
        self.process = composing.start("-", "--output", composing.output.name, *more, stdin=subprocess.PIPE)
        self.fed = 0

    def up_to(self, count):
        """Returns while the last of so many lines are under way."""
        self.process.stdin.write("".join(f"{who}\n" for who in self.everybody[self.fed : count]).encode())
        self.process.stdin.flush()
        self.fed = count
        self.composing.wait_for_answers(count - random.randint(1, 900))

    def to_the_end(self):
        self.up_to(len(self.everybody))
        stdout, stderr = self.process.communicate(timeout=120)
        assert self.process.returncode == 0, stderr
        return json.loads(stdout)


@pytest.mark.timeout(300)
class TestRestartedService:
    @pytest.mark.crash
    def test_is_gone_on_with_after_kill_9(self, own_service, own_org, tmp_path):
        everybody = people(24_000)
        own_org.record_all([{"recipient": who, "state": "given"} for who in everybody[:10_000]])
        composing = Composing(own_org, tmp_path)
        feed = Feed(composing, everybody, "--json")
        kills = 3
        for round in range(1, kills + 1):
            feed.up_to(round * 6_000)
            own_service.kill()
            own_service.start()
        assert feed.to_the_end()["connections"] > kills
        assert_whole(composing.answers(), everybody)
        assert_decided(own_org, composing.answers(), breaks=kills)


@pytest.mark.timeout(300)
class TestResuming:
    def test_goes_on_behind_the_last_whole_line(self, org, composing):
        everybody = people(16_000)
        rounds = [signal.SIGKILL, signal.SIGTERM, signal.SIGKILL]
        for round, by in enumerate(rounds, start=1):
            feed = Feed(composing, everybody, *(["--resume"] if round > 1 else []))
            feed.up_to(round * 4_000)
            interrupt(feed.process, by)
            with composing.output.open("ab") as torn:
                torn.write(b'{"recipient":"torn')
        assert Feed(composing, everybody, "--resume", "--json").to_the_end()["payloads"] == len(everybody)
        assert_whole(composing.answers(), everybody)
        assert_decided(org, composing.answers(), breaks=len(rounds))

    def test_of_what_is_done_changes_nothing(self, org, composing):
        everybody = people(1_500)
        recipients = composing.recipients(everybody)
        first = composing.to_file(recipients)
        before = composing.output.read_bytes()
        again = composing.to_file(recipients, "--resume")
        assert (first.returncode, again.returncode) == (0, 0), again.stderr
        assert first.stdout == again.stdout
        assert composing.output.read_bytes() == before
        assert len(org.decisions(limit=1000)) == 1_500

    def test_of_what_has_not_begun_begins(self, composing):
        everybody = people(3)
        assert composing.to_file(composing.recipients(everybody), "--resume").returncode == 0
        assert_whole(composing.answers(), everybody)

    def test_tells_of_lines_that_were_refused_before(self, composing):
        everybody = people(3)
        composing.to_file(composing.recipients([everybody[0], ""]))
        done = composing.to_file(composing.recipients([everybody[0], "", *everybody[1:]]), "--resume")
        assert done.returncode == 1
        assert "line 2:" in done.stdout
        assert [answer.get("recipient") for answer in composing.answers()] == [everybody[0], None, *everybody[1:]]

    def test_refuses_other_recipients(self, org, composing):
        everybody = people(4)
        composing.to_file(composing.recipients(everybody[:3]))
        before = composing.output.read_bytes()
        for others in ([*everybody[:2], everybody[3], everybody[2]], everybody[:2]):
            done = composing.to_file(composing.recipients(others), "--resume")
            assert done.returncode == 1
            assert all(who not in done.stdout + done.stderr for who in everybody)
        assert composing.output.read_bytes() == before
        assert len(org.decisions()) == 3

    def test_refuses_recipients_that_changed_before_the_last_one(self, org, composing):
        everybody = people(5)
        composing.to_file(composing.recipients(everybody[:3]))
        with composing.output.open("ab") as torn:
            torn.write(b'{"recipient":"torn')
        before = composing.output.read_bytes()
        done = composing.to_file(composing.recipients([everybody[0], everybody[4], *everybody[2:4]]), "--resume")
        assert done.returncode == 1 and "the first 3 recipients are not those who were answered" in done.stderr
        assert composing.output.read_bytes() == before
        assert len(org.decisions()) == 3

    @pytest.mark.parametrize("change", [{"name": "another"}, {"purpose": "newsletter"}])
    def test_refuses_another_message(self, org, composing, change):
        everybody = people(4)
        composing.to_file(composing.recipients(everybody[:3]))
        before = composing.output.read_bytes()
        composing.order({"message": composing.content | change, "format": "plain"})
        done = composing.to_file(composing.recipients(everybody), "--resume")
        assert done.returncode == 2 and "another message, purpose or format" in done.stderr
        assert composing.output.read_bytes() == before
        assert len(org.decisions()) == 3

    @pytest.mark.parametrize("text", ["precious", "precious\nand more", '{"a":1}\n'])
    def test_refuses_a_file_of_something_else_and_leaves_it(self, org, composing, text):
        composing.output.write_text(text)
        done = composing.to_file(composing.recipients(people(3)), "--resume")
        assert done.returncode == 2 and "line 1 of payloads.ndjson is not an answer" in done.stderr
        assert composing.output.read_text() == text and org.decisions() == []

    def test_is_told_of_by_the_last_line_after_ctrl_c(self, composing):
        everybody = people(8_000)
        # As in a terminal, whatever this process was started with.
        as_usual = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.default_int_handler)}
        process = composing.start("-", "--output", composing.output.name, stdin=subprocess.PIPE, **as_usual)
        process.stdin.write("".join(f"{who}\n" for who in everybody[:4_000]).encode())
        process.stdin.flush()
        composing.wait_for_answers(4_000)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=30)
        assert process.returncode == 130
        assert stderr.decode() == (
            "consentlink: interrupted. 4,000 lines are answered, in payloads.ndjson; --resume goes on with the next line\n"
        )
        done = composing.to_file(composing.recipients(everybody), "--resume")
        assert done.returncode == 0, done.stderr
        assert_whole(composing.answers(), everybody)

    @pytest.mark.parametrize("by", [signal.SIGHUP, signal.SIGQUIT], ids=lambda by: by.name)
    def test_is_told_of_by_the_last_line_after_the_terminal_is_gone(self, composing, by):
        everybody = people(2)
        as_usual = {"preexec_fn": lambda: signal.signal(by, signal.SIG_DFL)}
        process = composing.start("-", "--output", composing.output.name, stdin=subprocess.PIPE, **as_usual)
        process.stdin.write(f"{everybody[0]}\n".encode())
        process.stdin.flush()
        composing.wait_for_answers(1)
        time.sleep(0.2)
        process.send_signal(by)
        _, stderr = process.communicate(timeout=30)
        assert process.returncode == 128 + by
        assert stderr.decode() == (
            "consentlink: interrupted. 1 line is answered, in payloads.ndjson; --resume goes on with the next line\n"
        )

    def test_does_not_end_with_the_terminal_under_nohup(self, composing):
        everybody = people(2)
        ignoring = {"preexec_fn": lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)}
        process = composing.start("-", "--output", composing.output.name, stdin=subprocess.PIPE, **ignoring)
        process.stdin.write(f"{everybody[0]}\n".encode())
        process.stdin.flush()
        composing.wait_for_answers(1)
        process.send_signal(signal.SIGHUP)
        process.communicate(f"{everybody[1]}\n".encode(), timeout=30)
        assert process.returncode == 0
        assert_whole(composing.answers(), everybody)

    def test_a_signal_ends_the_command_when_nobody_reads_what_it_says(self, composing):
        reader, writer = os.pipe()
        process = composing.start("-", "--output", composing.output.name, stdin=subprocess.PIPE, stderr=writer)
        try:
            process.stdin.write(b"first@people.example\n")
            process.stdin.flush()
            composing.wait_for_answers(1)
            os.set_blocking(writer, False)
            with pytest.raises(BlockingIOError):
                while os.write(writer, b"." * 4096):
                    pass
            os.set_blocking(writer, True)
            process.terminate()
            assert process.wait(30) == 143
        finally:
            process.kill()
            process.stdin.close()
            os.close(reader)
            os.close(writer)

    def test_does_not_write_over_a_file_of_that_name(self, org, composing):
        everybody = people(2)
        (composing.folder / "sale.compose").write_text("precious")
        done = composing.run(composing.recipients(everybody), "--output", "sale")
        assert done.returncode == 2 and "sale.compose is not a journal" in done.stderr
        assert (composing.folder / "sale.compose").read_text() == "precious" and org.decisions() == []

    def test_needs_no_place_for_its_journal(self, composing):
        everybody = people(2)
        # Too long a name with something behind it.
        name = "n" * 250
        done = composing.run(composing.recipients(everybody), "--output", name)
        assert done.returncode == 0 and "--resume will not notice" in done.stderr
        assert_whole(lines((composing.folder / name).read_text()), everybody)

    def test_standard_output_by_its_name_has_no_journal(self, composing):
        everybody = people(2)
        with (composing.folder / "answers").open("wb") as answers:
            process = composing.start(composing.recipients(everybody), "--output", "/dev/stdout", stdout=answers)
            _, stderr = process.communicate(timeout=60)
        assert process.returncode == 0 and b"payloads  2" in stderr
        assert_whole(lines((composing.folder / "answers").read_text()), everybody)
        assert sorted(path.name for path in composing.folder.iterdir()) == ["answers", "message.json", "recipients.txt"]

    def test_refuses_what_is_no_file(self, composing):
        assert composing.run(composing.recipients(people(3)), "--output", "/dev/null", "--resume").returncode == 2

    def test_refuses_another_service_and_sends_it_nobody(self, composing, own_service):
        everybody = people(3)
        assert composing.to_file(composing.recipients(everybody[:2])).returncode == 0
        before = composing.output.read_bytes()
        order = (composing.folder / "message.json").read_text()
        elsewhere = Operator(own_service).make(id=composing.org.id)
        other = Composing(elsewhere, composing.folder)
        other.order(order)
        done = other.to_file(composing.recipients(everybody), "--resume")
        assert done.returncode == 2 and "there is no message" in done.stderr and "was begun with it" in done.stderr
        assert composing.output.read_bytes() == before and elsewhere.decisions() == []
        assert composing.to_file("recipients.txt", "--resume").returncode == 0
        assert_whole(composing.answers(), everybody)

    def test_refuses_a_file_that_another_process_writes(self, composing):
        recipients = composing.recipients(people(3))
        process = composing.start("-", "--output", composing.output.name, stdin=subprocess.PIPE)
        try:
            process.stdin.write(b"first@people.example\n")
            process.stdin.flush()
            composing.wait_for_answers(1)
            assert composing.to_file(recipients, "--resume").returncode == 1
        finally:
            process.stdin.close()
            process.wait(60)


class TestProgress:
    def watched(self, composing, recipients):
        return drawn(lambda end: composing.start(recipients, "--output", composing.output.name, stderr=end))

    def test_is_a_bar_on_a_terminal_and_nobody_is_named_in_it(self, composing):
        shown = self.watched(composing, composing.recipients(people(40_000)))
        assert re.search(r"\[[#-]+\] +\d+ %  [\d,]+ lines  [\d,]+/s", shown), shown
        assert shown.endswith("\r\x1b[K"), "the bar is left behind"
        assert "@people" not in shown

    def test_is_not_shown_elsewhere(self, composing):
        done = composing.to_file(composing.recipients(people(3)))
        assert done.stderr == ""


def test_memory_does_not_grow_with_the_recipients(composing):
    """A hundred thousand lines are longer than what the process may hold beside itself."""
    peaks = []
    for count in (1_000, 100_000):
        process = composing.start(
            composing.recipients(people(count)), "--output", "/dev/null", stdout=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stderr.close()
        assert process.returncode == 0
        peaks.append(usage.ru_maxrss)
    assert peaks[1] - peaks[0] < 24 * 1024, f"KiB at the peak: {peaks}"
