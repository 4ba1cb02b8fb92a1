"""`consentlink consents import`: each row of a file recorded once, over connections that break and a command that is
killed; rows that are refused are told by line."""

import csv
import datetime
import io
import json
import os
import random
import shutil
import signal
import socket
import subprocess

import pytest

from harness import times
from harness.client import Operator, person, unique
from harness.cutting import CuttingProxy
from harness.eventually import eventually
from harness.interrupted import Sending, interrupt
from harness.moving_clock import DAY, HOUR, MovingClock
from harness.service import free_port
from harness.terminal import drawn

START = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)


def moment(number):
    return f"{START + datetime.timedelta(seconds=number):%Y-%m-%dT%H:%M:%S}.000Z"


class Importing(Sending):
    """`consentlink consents import`."""

    command = ("consents", "import")

    def __init__(self, *where, **options):
        super().__init__(*where, **options)
        self.sentinels = 0

    def write(self, content, name="consents.csv"):
        (self.folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    def summary(self, file, *more, given=None):
        done = self.run(file, "--json", *more, given=given)
        assert done.returncode in (0, 1) and done.stdout, done.stderr
        return json.loads(done.stdout)

    def errors(self, name="consents.csv.errors.ndjson"):
        return [json.loads(line) for line in (self.folder / name).read_text().splitlines()]

    def recorded(self):
        """How many consent records there are: entries of the ledger but for the organization's first, and for one of
        somebody else, whose proof has the checkpoint signed that has all before it."""
        self.sentinels += 1
        operator = Operator(self.org.service)
        last = operator.expect(
            201, "POST", self.org.path("/consents"), {"recipient": person("sentinel"), "state": "given"}
        ).json()["consents"][0]["id"]
        proof = operator.expect(200, "GET", self.org.path(f"/consents/{last}/proof")).text
        return int(proof.split("\n\n", 1)[1].split("\n")[1]) - 1 - self.sentinels

    def wait_for(self, rows):
        """Until as many rows are recorded or refused."""
        journal = self.folder / "consents.csv.import"
        eventually(lambda: journal.exists() and json.loads(journal.read_text())["rows"] >= rows, within=120, every=0.002)

    def history(self, who):
        return self.org.consent(who)["history"]


def table(rows, columns=("recipient", "state", "occurredAt"), **dialect):
    text = io.StringIO()
    writer = csv.writer(text, **dialect)
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def people(count):
    mark = unique("reader")
    return [f"{number}-{mark}@people.example" for number in range(count)]


@pytest.fixture
def importing(org, tmp_path):
    return Importing(org, tmp_path)


class TestTables:
    def test_every_column_is_recorded(self, importing):
        who = person()
        columns = [
            "recipient", "purpose", "state", "occurredAt", "validUntil", "evidence.method", "evidence.source",
            "evidence.actor", "evidence.language", "evidence.notice.id", "evidence.notice.version",
            "evidence.notice.language", "evidence.notice.sha256",
        ]  # fmt: skip
        row = [
            who, "newsletter", "given", moment(0), "2099-01-01T00:00:00Z", "web, form", 'https://é.example/"1"', "subject",
            "sv", "privacy", "3", "en", "ab" * 32,
        ]  # fmt: skip
        found = importing.summary(importing.write(table([row], columns)))
        assert found == {"recorded": 1, "refused": 0, "refusedNow": 0, "errors": None, "refusals": []}
        (record,) = importing.history(who)
        assert (record["purpose"], record["state"], record["occurredAt"]) == ("newsletter", "given", moment(0))
        assert record["validUntil"] == "2099-01-01T00:00:00.000Z"
        assert record["evidence"] == {
            "method": "web, form", "source": 'https://é.example/"1"', "actor": "subject",
            "language": "sv", "notice": {"id": "privacy", "version": "3", "language": "en", "sha256": "ab" * 32},
        }  # fmt: skip

    @pytest.mark.parametrize(
        "change",
        [
            lambda text: text,
            lambda text: text.replace("\r\n", "\n"),
            lambda text: "\ufeff" + text,
            lambda text: text.rstrip(),
            lambda text: text.replace(",", ";"),
            lambda text: text.replace(",", "\t"),
            lambda text: text.replace("recipient", '"Recipient"').replace("occurredAt", "occurredat"),
            lambda text: text + "\r\n\r\n",
        ],
    )
    def test_are_read_as_spreadsheets_write_them(self, importing, change):
        everybody = people(3)
        text = change(table([[who, "given", moment(0)] for who in everybody]))
        assert importing.summary(importing.write(text))["recorded"] == 3
        assert all(importing.history(who)[0]["state"] == "given" for who in everybody)

    def test_empty_cells_are_values_that_are_not_there(self, importing):
        who = person()
        row = [who, "", "given", "", "", ""]
        columns = ["recipient", "purpose", "state", "occurredAt", "validUntil", "evidence.method"]
        assert importing.summary(importing.write(table([row], columns)))["recorded"] == 1
        (record,) = importing.history(who)
        assert record["purpose"] == "tracking" and record["evidence"] is None

    def test_quoted_fields_may_have_line_ends(self, importing):
        first, second = people(2)
        rows = [[first, "given", "a\nb"], ["", "given", ""], [second, "given", "c"]]
        done = importing.summary(importing.write(table(rows, ["recipient", "state", "evidence.method"])))
        assert (done["recorded"], done["refused"]) == (2, 1)
        assert [error["line"] for error in importing.errors()] == [4]
        assert importing.history(first)[0]["evidence"] is not None

    def test_rows_without_the_evidence_that_is_asked_for_are_told(self, importing):
        importing.org.set(requireEvidence=True)
        first, second, third = people(3)
        columns = ["recipient", "state", "evidence.method", "evidence.notice.id"]
        rows = [[first, "given", "form", ""], [second, "given", "form", "privacy"], [third, "withdrawn", "", ""]]
        done = importing.summary(importing.write(table(rows, columns)))
        assert (done["recorded"], done["refused"]) == (2, 1)
        (error,) = importing.errors()
        assert error["line"] == 2 and "/evidence/notice" in error["reason"]
        assert importing.history(first) == [] and importing.history(second)[0]["evidence"]["method"] == "form"

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("recipient\nana@people.example\n", "no column state"),
            ("recipient,state,colour\n", "field 3 of it names none"),
            ("recipient,state,state\n", "twice"),
            ("ana@people.example,given\n", "line 1 must name the columns"),
            ("recipient,state\n".encode("utf-16"), "UTF-16"),
        ],
    )
    def test_of_other_columns_are_refused_whole(self, importing, text, told):
        done = importing.run(importing.write(text))
        assert done.returncode == 2 and told in done.stderr and done.stdout == ""
        assert "people.example" not in done.stderr, "a line without a header is a person"
        assert importing.recorded() == 0


class TestLines:
    def test_are_records_as_the_api_takes_them(self, importing):
        first, second = people(2)
        text = (
            json.dumps({"recipient": first, "state": "given", "occurredAt": moment(0), "evidence": {"method": "form"}})
            + "\n\n"
            + json.dumps({"recipient": second, "state": "refused"})
        )
        for name, more in (("consents.ndjson", []), ("lines", ["--json-lines"])):
            assert importing.summary(importing.write(text, name), *more)["recorded"] == 2
        assert importing.history(first)[0]["evidence"] == {"method": "form"}

    def test_come_from_standard_input(self, importing):
        who = person()
        text = json.dumps({"recipient": who, "state": "given"}) + "\n"
        assert importing.summary("-", "--json-lines", given=text.encode())["recorded"] == 1
        assert importing.history(who)


BAD = {
    "an unknown state": ('{"recipient":"a@people.example","state":"perhaps"}', "/state"),
    "no recipient": ('{"state":"given"}', "/recipient"),
    "an unknown member": ('{"recipient":"a@people.example","state":"given","stat":1}', "it has an unknown member"),
    "a time that is none": ('{"recipient":"a@people.example","state":"given","occurredAt":"soon"}', "/occurredAt"),
    "the future": ('{"recipient":"a@people.example","state":"given","occurredAt":"2099-01-01T00:00:00Z"}', "/occurredAt"),
    "no JSON": ('{"recipient":', "ends"),
    "no object": ("[]", "not a JSON object"),
    "two members of a name": ('{"state":"given","state":"given"}', "/state"),
    "too long a line": ('{"recipient":"%s"}' % ("a" * 70_000), "longer than"),
}


class TestRefusedRows:
    @pytest.mark.parametrize("kind", BAD)
    def test_are_told_by_line_and_the_others_recorded(self, importing, kind):
        line, told = BAD[kind]
        everybody = people(3)
        good = [json.dumps({"recipient": who, "state": "given"}) for who in everybody]
        done = importing.run(importing.write("\n".join([line, good[0], line, *good[1:], line]), "consents.ndjson"))
        assert done.returncode == 1
        assert "recorded  3" in done.stdout and "refused   3" in done.stdout
        errors = importing.errors("consents.ndjson.errors.ndjson")
        assert [error["line"] for error in errors] == [1, 3, 6]
        assert all(told in error["reason"] for error in errors), errors
        assert importing.recorded() == 3

    def test_are_more_than_the_service_lists_at_once(self, importing):
        everybody = people(600)
        rows = [row for who in everybody for row in ([who, "given", moment(0)], [who, "perhaps", moment(0)])]
        found = importing.summary(importing.write(table(rows)))
        assert (found["recorded"], found["refused"]) == (600, 600)
        assert [error["line"] for error in importing.errors()] == [2 * number + 3 for number in range(600)]

    def test_show_nobody_and_nothing_that_a_terminal_acts_on(self, importing):
        rows = [["secret@people.example", "\x1b[2Jperhaps", "\u202esoon"]]
        done = importing.run(importing.write(table(rows)))
        assert done.returncode == 1
        text = done.stdout + done.stderr + (importing.folder / "consents.csv.errors.ndjson").read_text()
        assert "secret" not in text and "\x1b" not in text and "\u202e" not in text
        assert (importing.folder / "consents.csv.errors.ndjson").stat().st_mode & 0o777 == 0o600

    @pytest.mark.parametrize("line", ['{"%s":"given"}', '{"%s":1,"%s":2}', '{"state":"given","evidence":{"%s":1}}'])
    def test_name_nobody_who_stands_where_a_member_should(self, importing, line):
        who = person("secret")
        done = importing.run(importing.write(line.replace("%s", who), "consents.ndjson"))
        assert done.returncode == 1
        left = "".join(path.read_text() for path in importing.folder.glob("consents.ndjson.*"))
        assert "line 1: " in done.stdout and '"line":1' in left
        assert "secret" not in done.stdout + done.stderr + left

    def test_are_told_with_all_lines_that_a_stray_quote_took(self, importing):
        first, *swallowed, last = people(5)
        rows = [f'{first},given,"web form', *(f"{who},withdrawn,mail" for who in swallowed[:2])]
        rows += [f'{swallowed[2]},withdrawn,"mail"', f"{last},given,web"]
        name = importing.write("\n".join(["recipient,state,evidence.method", *rows, ""]))
        done = importing.run(name)
        assert done.returncode == 1 and "  lines 2 to 5: text follows a closing quote\n" in done.stdout
        (error,) = importing.errors()
        assert (error["line"], error["lastLine"]) == (2, 5)
        assert importing.summary(name, "--resume")["refusals"] == []
        assert importing.recorded() == 1 and importing.history(last)

    def test_are_noticed_where_rows_were_added_behind_an_open_quote(self, importing):
        first, second = people(2)
        table = f'recipient,state,evidence.method\n{first},given,web\n{second},given,"web form\n'
        name = importing.write(table)
        done = importing.run(name)
        assert done.returncode == 1 and "line 3: a quote is opened and never closed" in done.stdout
        assert importing.run(name, "--resume").returncode == 0, "nothing was added"
        importing.write(table + f"{first},withdrawn,mail\n")
        done = importing.run(name, "--resume")
        assert done.returncode == 1 and "the first 2 rows are not those" in done.stderr and done.stdout == ""

    @pytest.mark.parametrize("cell", [" {}", "{} ", "{}\u00a0", "\u200b{}", "\u202a{}\u202c", "{}\ufeff"])
    def test_are_those_whose_recipient_has_white_space_around_it(self, importing, cell):
        first, second = people(2)
        done = importing.run(importing.write(table([[first, "given", ""], [cell.format(second), "withdrawn", ""]])))
        assert done.returncode == 1 and "line 3: recipient begins or ends with white space" in done.stdout
        assert second not in done.stdout + done.stderr and importing.recorded() == 1

    @pytest.mark.parametrize("text", ['a@people.example,given,"open\n', 'a@people.example,"given"x,\n', "a,b\n", "\xff,given,\n"])
    def test_are_those_of_a_broken_table_too(self, importing, text):
        who = person()
        content = f"recipient,state,occurredAt\n{who},given,\n".encode() + text.encode("latin-1")
        found = importing.summary(importing.write(content))
        assert (found["recorded"], found["refused"]) == (1, 1)


class TestRefusals:
    def test_of_a_service_that_is_not_there(self, org, tmp_path):
        importing = Importing(org, tmp_path, api=f"http://127.0.0.1:{free_port()}")
        done = importing.run(importing.write(table([[person(), "given", moment(0)]])), "--patience", "1")
        assert done.returncode == 1 and "cannot reach" in done.stderr and "connection refused" in done.stderr

    def test_of_a_service_that_takes_requests_and_is_silent_come_with_patience(self, org, tmp_path):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            importing = Importing(org, tmp_path, api=f"http://127.0.0.1:{silent.getsockname()[1]}")
            process = importing.start(importing.write(table([[person(), "given", moment(0)]])), "--patience", "2")
            try:
                # Without the patience a request takes a minute.
                _, stderr = process.communicate(timeout=30)
            finally:
                process.kill()
        assert process.returncode == 1 and b"no answer in time" in stderr

    @pytest.mark.parametrize(
        ("errors", "journal"),
        [("x", "x"), ("x", "./x"), ("x", "link"), ("folder/x", "there/../folder/x"), ("x.lock", "x"), ("x.new", "x"),
         ("consents.csv", "x"), ("x", "consents.csv"), ("x", "same.csv")],
    )  # fmt: skip
    def test_of_two_files_in_one_place(self, importing, errors, journal):
        name = importing.write(table([[person(), "perhaps", moment(0)]]))
        before = (importing.folder / name).read_bytes()
        (importing.folder / "link").symlink_to("x")
        (importing.folder / "folder").mkdir()
        (importing.folder / "there").symlink_to("folder")
        os.link(importing.folder / name, importing.folder / "same.csv")
        files = sorted(importing.folder.iterdir())
        done = importing.run(name, "--errors", errors, "--journal", journal)
        assert done.returncode == 2 and "are one file" in done.stderr
        assert (importing.folder / name).read_bytes() == before and sorted(importing.folder.iterdir()) == files

    def test_of_an_unknown_organization_and_of_a_key_without_the_scope(self, org, tmp_path):
        importing = Importing(org.with_scopes("read"), tmp_path)
        assert importing.run(importing.write(table([[person(), "given", moment(0)]]))).returncode == 1
        operator = Operator(org.service)
        importing = Importing(type(org)(org.service, unique("nobody"), operator.key), tmp_path)
        done = importing.run(importing.write(table([[person(), "given", moment(0)]]), "other.csv"))
        assert done.returncode == 1 and importing.org.id in done.stderr

    def test_of_wrong_usage(self, importing):
        for more in (["--patience", "0"], ["--fly"], ["--org", "no/org"]):
            assert importing.run(importing.write(table([])), *more).returncode == 2
        assert importing.run("nowhere.csv").returncode == 2

    def test_a_file_is_not_imported_twice_by_mistake(self, importing):
        name = importing.write(table([[person(), "given", moment(0)]]))
        assert importing.run(name).returncode == 0
        done = importing.run(name)
        assert done.returncode == 2 and "--resume" in done.stderr
        assert importing.summary(name, "--resume")["recorded"] == 1
        assert importing.recorded() == 1

    def test_a_withdrawal_is_not_undone_where_the_journal_is_another_one(self, importing):
        who = person()
        name = importing.write(table([[who, "given", ""]]))
        assert importing.run(name).returncode == 0
        importing.org.record(who, "withdrawn")
        done = importing.run(name, "--resume", "--journal", "elsewhere")
        assert done.returncode == 2 and "there is no elsewhere" in done.stderr
        assert [entry["state"] for entry in importing.org.consent(who)["current"]] == ["withdrawn"]

    def test_another_organization_is_not_gone_on_with(self, importing, lenient_org):
        first, second = people(2)
        name = importing.write(table([[first, "given", moment(0)]]))
        assert importing.run(name).returncode == 0
        importing.write(table([[who, "given", moment(0)] for who in (first, second)]))
        done = Importing(lenient_org, importing.folder).run(name, "--resume")
        assert done.returncode == 2 and f"into organization {importing.org.id}, and not into {lenient_org.id}" in done.stderr
        assert lenient_org.consent(second)["history"] == []
        assert importing.summary(name, "--resume")["recorded"] == 2

    @pytest.mark.embedded_storage_only  # a server's backup has the database
    def test_a_restored_service_that_lost_a_withdrawal_is_not_gone_on_with(self, own_service, own_org, tmp_path):
        who, other = people(2)
        own_org.record(who, "given", occurredAt=moment(0))
        backup = Operator(own_service).expect(201, "POST", "/v1/backup").json()["folder"]
        importing = Importing(own_org, tmp_path)
        rows = [[who, "withdrawn", moment(1)]]
        name = importing.write(table(rows))
        assert importing.run(name).returncode == 0
        assert importing.run(name, "--resume").returncode == 0
        assert own_service.stop() == 0
        shutil.rmtree(own_service.data)
        shutil.copytree(backup, own_service.data)
        own_service.start()
        importing.write(table([*rows, [other, "given", moment(2)]]))
        done = importing.run(name, "--resume")
        assert done.returncode == 2 and "does not have the last record" in done.stderr, done.stderr
        assert own_org.consent(other)["history"] == []
        (tmp_path / f"{name}.import").unlink()
        assert importing.summary(name)["recorded"] == 2
        assert own_org.consent(who)["current"][0]["state"] == "withdrawn"

    def test_rows_that_were_added_are_recorded_by_going_on(self, importing):
        first, second, third = people(3)
        rows = [[who, "given", moment(0)] for who in (first, second)]
        name = importing.write(table(rows))
        assert importing.summary(name)["recorded"] == 2
        importing.write(table([*rows, [third, "given", moment(0)]]))
        done = importing.run(name, "--resume")
        assert done.returncode == 0, done.stderr
        assert "2 rows were imported before, and 1 row was added since" in done.stdout and "recorded  3" in done.stdout
        assert importing.recorded() == 3 and len(importing.history(third)) == 1

    def test_rows_that_were_refused_before_do_not_fail_what_is_added_later(self, importing):
        first, second, third = people(3)
        rows = [[first, "given", moment(0)], [second, "perhaps", moment(0)]]
        name = importing.write(table(rows))
        assert importing.run(name).returncode == 1
        assert importing.run(name, "--resume").returncode == 0, "nothing was added"
        rows.append([third, "given", moment(0)])
        done = importing.run(importing.write(table(rows)), "--resume")
        assert done.returncode == 0 and "refused   1 (none of those that were added)" in done.stdout
        assert "line 3" not in done.stdout
        rows.append([third, "perhaps", moment(0)])
        done = importing.run(importing.write(table(rows)), "--resume")
        assert done.returncode == 1 and "refused   2 (1 of those that were added)" in done.stdout
        assert "line 5: /state" in done.stdout and "line 3" not in done.stdout
        assert [error["line"] for error in importing.errors()] == [3, 5]
        assert importing.recorded() == 2

    def test_rows_that_were_changed_are_told_and_not_recorded(self, importing):
        first, second = people(2)
        name = importing.write(table([[first, "given", moment(0)], [second, "given", moment(0)]]))
        assert importing.summary(name)["recorded"] == 2
        importing.write(table([[first, "given", moment(0)], [second, "withdrawn", moment(1)]]))
        done = importing.run(name, "--resume")
        assert done.returncode == 1 and "changed go into a file of their own" in done.stderr
        assert importing.recorded() == 2

    def test_of_an_empty_table_and_of_one_without_rows(self, importing):
        done = importing.run(importing.write(""))
        assert done.returncode == 2 and "it is empty; its first line must name the columns" in done.stderr
        done = importing.run(importing.write("recipient,state\n"))
        assert done.returncode == 0 and "There are no rows in consents.csv." in done.stderr
        # Rows may come later: there is nothing to go on with.
        assert importing.summary(importing.write(table([[person(), "given", moment(0)]])))["recorded"] == 1

    def test_of_a_file_of_errors_that_has_something_in_it(self, importing):
        (importing.folder / "mine").write_text("precious")
        done = importing.run(importing.write(table([[person(), "x", ""]])), "--errors", "mine")
        assert done.returncode == 2 and (importing.folder / "mine").read_text() == "precious"

    def test_that_were_dealt_with_may_be_gone_when_rows_are_added(self, importing):
        rows = [[person(), "x", ""], [person(), "given", moment(0)]]
        assert importing.summary(importing.write(table(rows)))["refused"] == 1
        (importing.folder / "consents.csv.errors.ndjson").unlink()
        found = importing.summary(importing.write(table([*rows, [person(), "x", ""]])), "--resume")
        assert (found["recorded"], found["refused"], found["refusedNow"]) == (1, 2, 1)
        assert [error["line"] for error in importing.errors()] == [4]


def big(count, bad_every=500):
    """Rows with a no among them that follows its yes, and rows that are refused."""
    rows = []
    for number, who in enumerate(people(count)):
        rows.append([who, "perhaps" if number % bad_every == 7 else "given", moment(number)])
        if number % 10 == 0:
            rows.append([who, "withdrawn", moment(number + 1)])
    return rows[:count]


def assert_recorded_once(importing, rows):
    good = [row for row in rows if row[1] != "perhaps"]
    assert importing.recorded() == len(good)
    for number in random.Random(1).sample(range(len(rows)), 60):
        who = rows[number][0]
        expected = [(row[1], row[2]) for row in rows if row[0] == who and row[1] != "perhaps"]
        found = [(record["state"], record["occurredAt"]) for record in importing.history(who)]
        assert sorted(found) == sorted(expected)
    assert [error["line"] for error in importing.errors()] == [
        number + 2 for number, row in enumerate(rows) if row[1] == "perhaps"
    ]


@pytest.mark.timeout(600)
class TestInterruptions:
    ROWS = int(os.environ.get("IMPORTED_ROWS", 50_000))

    def test_by_kill_9_of_the_command_record_nothing_twice(self, importing):
        rows = big(self.ROWS)
        name = importing.write(table(rows))
        for part in (0.1, 0.35, 0.36, 0.8):
            process = importing.start(name, *(["--resume"] if part > 0.1 else []))
            importing.wait_for(int(self.ROWS * part))
            interrupt(process)
        with (importing.folder / "consents.csv.errors.ndjson").open("a") as torn:
            torn.write('{"line":')
        found = importing.summary(name, "--resume")
        assert found["recorded"] + found["refused"] == len(rows)
        assert_recorded_once(importing, rows)

    def test_of_the_connection_record_nothing_twice(self, org, tmp_path):
        rows = big(6_000)
        # In the middle of an answer, before its first byte, and in its head.
        cuts = [50_000, 0, 20, 130_000, 1_000, 1]
        with CuttingProxy(org.service.api_listen, cuts) as proxy:
            importing = Importing(org, tmp_path, api=proxy.url)
            found = importing.summary(importing.write(table(rows)))
        assert proxy.broken > 2
        assert found["recorded"] + found["refused"] == len(rows)
        assert_recorded_once(importing, rows)

    @pytest.mark.crash
    def test_of_the_service_record_nothing_twice(self, own_service, own_org, tmp_path):
        importing = Importing(own_org, tmp_path)
        rows = big(20_000)
        process = importing.start(importing.write(table(rows)), "--json")
        for part in (2_000, 9_000):
            importing.wait_for(part)
            own_service.kill()
            own_service.start()
        stdout, stderr = process.communicate(timeout=240)
        assert process.returncode == 1, stderr
        assert_recorded_once(importing, rows)

    def test_go_on_with_the_same_file_alone(self, importing):
        name = importing.write(table([[who, "given", moment(0)] for who in people(10_000)]))
        process = importing.start(name)
        importing.wait_for(1_000)
        interrupt(process)
        importing.write(table([[who, "given", moment(0)] for who in people(10_000)]))
        done = importing.run(name, "--resume")
        assert done.returncode == 1 and "began with" in done.stderr

    def test_more_than_a_day_ago_are_not_gone_on_with_where_times_are_missing(self, importing):
        name = importing.write(table([[who, "given"] for who in people(3)], ["recipient", "state"]))
        journal = importing.folder / "consents.csv.import"
        assert importing.run(name, "--api", f"http://127.0.0.1:{free_port()}", "--patience", "1").returncode == 1
        left = json.loads(journal.read_text())
        left["underWay"]["sentAt"] = "2026-01-01T00:00:00.000Z"
        journal.write_text(json.dumps(left))
        done = importing.run(name, "--resume")
        assert done.returncode == 1 and "occurredAt" in done.stderr and importing.recorded() == 0

    def test_that_an_other_clock_timed_are_not_gone_on_with_where_times_are_missing(self, org, tmp_path):
        clock = MovingClock(tmp_path)
        [who] = people(1)
        clock.set(30 * DAY)
        importing = Importing(org, tmp_path, settings=clock.settings)
        name = importing.write(table([[who, "given"]], ["recipient", "state"]))
        with CuttingProxy(org.service.api_listen, [0] * 50) as proxy:
            assert importing.run(name, "--api", proxy.url, "--patience", "1").returncode == 1
        clock.set(0)
        done = importing.run(name, "--resume")
        assert done.returncode == 1 and "later than now" in done.stderr
        assert len(importing.history(who)) == 1

    def test_are_as_old_as_the_service_says(self, org, tmp_path):
        clock = MovingClock(tmp_path)
        [who] = people(1)
        importing = Importing(org, tmp_path, settings=clock.settings)
        name = importing.write(table([[who, "given"]], ["recipient", "state"]))
        journal = importing.folder / "consents.csv.import"
        assert importing.run(name, "--api", f"http://127.0.0.1:{free_port()}", "--patience", "1").returncode == 1
        left = json.loads(journal.read_text())
        left["underWay"]["sentAt"] = times.from_now(days=-2)
        journal.write_text(json.dumps(left))
        clock.set(HOUR - 2 * DAY)
        done = importing.run(name, "--resume")
        assert done.returncode == 1 and "would not know them again" in done.stderr
        assert importing.history(who) == []


@pytest.fixture
def swallowing(org, tmp_path):
    """An import of which the service records what is sent first, and of whose answer not a byte arrives."""
    with CuttingProxy(org.service.api_listen, [0], swallows=True) as proxy:
        yield Importing(org, tmp_path, api=proxy.url)


class TestUnansweredRows:
    COLUMNS = ("recipient", "state")

    def begin(self, importing, everybody):
        """The command, which waits for an answer, and the file with these rows."""
        name = importing.write(table([[who, "given"] for who in everybody], self.COLUMNS))
        process = importing.start(name)
        eventually(lambda: importing.history(everybody[-1]), within=30)
        return process, name

    def withdraw(self, importing, who):
        importing.org.expect(201, "POST", importing.org.path("/consents"), {"recipient": who, "state": "withdrawn"})

    def states(self, importing, everybody):
        return [sorted(record["state"] for record in importing.history(who)) for who in everybody]

    def test_are_not_recorded_again_behind_a_withdrawal_when_rows_were_added(self, swallowing):
        *earlier, added = people(4)
        process, name = self.begin(swallowing, earlier)
        interrupt(process, by=signal.SIGTERM)
        self.withdraw(swallowing, earlier[0])
        swallowing.write(table([[who, "given"] for who in [*earlier, added]], self.COLUMNS))
        assert swallowing.summary(name, "--resume")["recorded"] == 4
        states = self.states(swallowing, [*earlier, added])
        assert states == [["given", "withdrawn"], ["given"], ["given"], ["given"]]
        assert swallowing.recorded() == 5

    def test_are_not_recorded_again_by_another_key_behind_a_withdrawal(self, swallowing):
        [who] = people(1)
        process, name = self.begin(swallowing, [who])
        interrupt(process)
        self.withdraw(swallowing, who)
        first = swallowing.key
        swallowing.key = swallowing.org.with_scopes("consent", "read").key
        done = swallowing.run(name, "--resume")
        assert done.returncode == 1 and "only with the key that sent them, which is another one" in done.stderr
        assert first not in (swallowing.folder / "consents.csv.import").read_text()
        assert self.states(swallowing, [who]) == [["given", "withdrawn"]]
        swallowing.key = first
        assert swallowing.summary(name, "--resume")["recorded"] == 1
        assert self.states(swallowing, [who]) == [["given", "withdrawn"]]

    def test_that_were_changed_are_told_and_not_sent(self, swallowing):
        first, second = everybody = people(2)
        process, name = self.begin(swallowing, everybody)
        interrupt(process, by=signal.SIGTERM)
        for rows in ([[first, "given"], [second, "withdrawn"]], [[first, "given"]], []):
            done = swallowing.run(swallowing.write(table(rows, self.COLUMNS)), "--resume")
            assert done.returncode == 1 and "rows 1 to 2 were sent at" in done.stderr
            assert "they are not the same any more. Nothing was recorded now. Put them back" in done.stderr
        swallowing.write(table([[who, "given"] for who in everybody], self.COLUMNS))
        assert swallowing.summary(name, "--resume")["recorded"] == 2
        assert self.states(swallowing, everybody) == [["given"], ["given"]]

    def test_are_left_to_the_run_that_waits_for_them(self, swallowing):
        *earlier, added = people(3)
        process, name = self.begin(swallowing, earlier)
        swallowing.write(table([[who, "given"] for who in [*earlier, added]], self.COLUMNS))
        for more in (["--resume"], []):
            done = swallowing.run(name, *more)
            assert done.returncode == 1 and done.stdout == ""
            assert "another process is importing this file" in done.stderr
        assert process.poll() is None and swallowing.recorded() == 2
        interrupt(process)
        assert swallowing.summary(name, "--resume")["recorded"] == 3
        assert self.states(swallowing, [*earlier, added]) == [["given"]] * 3


class TestProgress:
    def test_is_a_bar_on_a_terminal_and_nobody_is_named_in_it(self, importing):
        rows = [[who, "given", moment(0)] for who in people(20_000)]
        name = importing.write(table(rows))
        text = drawn(lambda end: importing.start(name, stderr=end))
        assert "] " in text and "/s" in text, text
        assert "@people" not in text and text.endswith("\r\x1b[K")


def test_memory_does_not_grow_with_the_rows(importing):
    peaks = []
    for count in (2_000, 60_000):
        name = importing.write(table([[who, "given", moment(0)] for who in people(count)]), f"{count}.csv")
        process = importing.start(name, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stderr.close()
        assert process.returncode == 0
        peaks.append(usage.ru_maxrss)
    assert peaks[1] - peaks[0] < 24 * 1024, f"KiB at the peak: {peaks}"
