"""Deploy/checkpoints/collect: an outsider who keeps checkpoints notices that a whole data folder was put back."""

import os
import shutil
import subprocess
from http.server import BaseHTTPRequestHandler

import pytest

from harness.client import Operator, person
from harness.forging import Book
from harness.listener import Listener
from harness.service import ROOT, Service, binary, environment
from harness.small_disk import fill, small_disk

COLLECT = ROOT / "Deploy/checkpoints/collect"


class Outsider:
    """A machine with the program, a key that may read, and a folder for checkpoints."""

    def __init__(self, folder, service, org):
        self.org, self.into = org, folder / "collected"
        self.commands = folder / "bin"
        self.commands.mkdir()
        (self.commands / "consentlink").symlink_to(binary())
        self.key, self.verifier = folder / "key", folder / "verifier"
        self.key.write_text(org.expect(201, "POST", org.path("/keys"), {"scopes": ["read"]}).json()["key"] + "\n")
        self.verifier.write_text(org.expect(200, "GET", org.path("/ledger")).json()["verifierKey"] + "\n")
        self.api = service.api

    def collect(self, *, org=None, stderr=subprocess.PIPE):
        options = {"--org": org or self.org.id, "--key": self.key, "--verifier": self.verifier, "--into": self.into}
        arguments = [str(part) for option in options.items() for part in option]
        return subprocess.run(
            [COLLECT, *arguments, "--api", self.api],
            env=environment(PATH=f"{self.commands}:{environment()['PATH']}"),
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            timeout=60,
        )

    def evidence(self):
        """The folders with answers that contradict what was collected."""
        return sorted((self.into / "contradictions").glob("*"))

    def names(self):
        return sorted(path.name for path in self.into.glob("*.txt"))

    def contents(self):
        return {path.name: path.read_bytes() for path in self.into.glob("*.txt")}


@pytest.fixture
def outsider(tmp_path, own_service, own_org):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return Outsider(folder, own_service, own_org)


def collected(outsider):
    done = outsider.collect()
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return outsider.names()


class Page(BaseHTTPRequestHandler):
    """A server in the service's place that gives a page for everything, and no type of it."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        page = b"<html>It works!</html>"
        self.send_response(200)
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    do_GET = do_POST

    def log_message(self, *_):
        pass


def test_a_page_of_another_server_contradicts_nothing(outsider):
    collected(outsider)
    with Listener(Page) as page:
        outsider.api = page.origin
        done = outsider.collect()
    assert done.returncode == 1, done.stderr
    assert outsider.evidence() == [] and len(outsider.names()) == 1


def test_an_organization_may_have_the_name_of_an_option(tmp_path, own_service):
    outsider = Outsider(tmp_path, own_service, Operator(own_service).make(id="-x"))
    outsider.org.record(person(), "given")
    assert len(collected(outsider)) == 1


def test_each_newer_checkpoint_is_kept_once_beside_the_older_ones(outsider, own_org):
    own_org.record(person(), "given")
    assert len(collected(outsider)) == 1
    first = outsider.contents()
    assert len(collected(outsider)) == 1, "nothing was entered since"
    own_org.record_all([{"recipient": person(), "state": "given"} for _ in range(300)])
    assert len(collected(outsider)) == 2
    assert first.items() <= outsider.contents().items()
    sizes = [int(content.split(b"\n")[1]) for _, content in sorted(outsider.contents().items())]
    assert sizes == [int(name.removesuffix(".txt")) for name in outsider.names()] == sorted(sizes)


@pytest.fixture
def put_back(outsider, own_service, own_org, tmp_path):
    """Collects, and puts the whole data folder back to what it was before."""

    def put_back(entered_since=0):
        own_org.record(person(), "given")
        assert own_service.stop() == 0
        earlier = Service(tmp_path / "earlier")
        earlier.copy_from(own_service)
        own_service.start()
        own_org.record_all([{"recipient": person(), "state": "withdrawn"} for _ in range(20)])
        collected(outsider)

        assert own_service.stop() == 0
        shutil.rmtree(own_service.data)
        own_service.copy_from(earlier)
        own_service.start()
        if entered_since:
            own_org.record_all([{"recipient": person(), "state": "given"} for _ in range(entered_since)])

    return put_back


@pytest.mark.parametrize("entered_since", [0, 50], ids=["smaller", "grown again"])
def test_a_data_folder_that_was_put_back_whole_is_noticed(outsider, put_back, entered_since):
    put_back(entered_since)
    kept = outsider.contents()
    done = outsider.collect()
    assert done.returncode == 4, done.stderr
    assert ("does not continue" if entered_since else "smaller") in done.stderr
    assert outsider.contents() == kept
    (evidence,) = outsider.evidence()
    size = int((evidence / "checkpoint").read_text().splitlines()[1])
    assert (size > int(max(kept).removesuffix(".txt"))) == bool(entered_since)


@pytest.mark.parametrize("entered_since", [0, 50], ids=["smaller", "grown again"])
def test_a_contradiction_that_lasts_is_told_each_time_and_kept_once(outsider, put_back, own_org, entered_since):
    put_back(entered_since)
    told = [outsider.collect() for _ in range(3)]
    assert [done.returncode for done in told] == [4, 4, 4]
    (evidence,) = outsider.evidence()
    assert all(str(evidence) in done.stderr for done in told)
    own_org.record(person(), "given")
    assert outsider.collect().returncode == 4
    assert len(outsider.evidence()) == 2, "another answer"


def test_of_a_contradiction_that_lasts_the_first_hundred_answers_are_kept(outsider, put_back):
    put_back()
    before = [outsider.into / "contradictions" / f"2026-11-29T09-46-{number:03}" for number in range(99)]
    for folder in before:
        folder.mkdir(parents=True)
    assert outsider.collect().returncode == 4
    (evidence,) = set(outsider.evidence()) - set(before)
    checkpoint = (evidence / "checkpoint").read_text()
    other = evidence.rename(evidence.parent / "2026-11-29T09-46-099")
    done = outsider.collect()
    assert done.returncode == 4 and "is not kept" in done.stderr
    assert outsider.evidence() == sorted([*before, other])
    assert_shows(done, checkpoint)


def assert_shows(done, checkpoint):
    """What was found comes first, and the signed checkpoint is in the log at least."""
    assert "smaller" in done.stderr.splitlines()[0], done.stderr
    assert done.stderr.endswith("".join(f"    {line}\n" for line in checkpoint.splitlines())), done.stderr


def test_a_contradiction_is_told_where_its_evidence_has_no_place(outsider, put_back):
    put_back()
    (outsider.into / "contradictions").write_text("no folder\n")
    done = outsider.collect()
    assert done.returncode == 4 and "could not be kept whole" in done.stderr, done.stderr
    (outsider.into / "contradictions").unlink()
    assert outsider.collect().returncode == 4
    (evidence,) = outsider.evidence()
    assert_shows(done, (evidence / "checkpoint").read_text())


@pytest.mark.parametrize("fault", ["full", "read-only"])
def test_a_contradiction_is_told_where_the_disk_takes_no_evidence(outsider, put_back, fault):
    filler = outsider.into / "filler"
    with small_disk(outsider.into, 256 << 10):
        put_back()
        if fault == "full":
            fill(filler)
            # Room for what is small.
            os.truncate(filler, filler.stat().st_size - 8192)
        else:
            subprocess.run(["mount", "-o", "remount,ro", outsider.into], check=True)
        told = [outsider.collect() for _ in range(2)]
        assert [done.returncode for done in told] == [4, 4], told[0].stderr
        if fault == "full":
            (unfinished,) = outsider.evidence()
            assert {path.name for path in unfinished.iterdir()} - {".new"} == {"checkpoint", "said"}
            filler.unlink()
        else:
            assert outsider.evidence() == []
            subprocess.run(["mount", "-o", "remount,rw", outsider.into], check=True)
        assert outsider.collect().returncode == 4
        (evidence,) = outsider.evidence()
        assert {path.name for path in evidence.iterdir()} == {"checkpoint", "said", "edge.tar"}
        for done in told:
            assert "could not be kept whole" in done.stderr
            assert_shows(done, (evidence / "checkpoint").read_text())


def test_a_contradiction_has_its_exit_code_where_it_cannot_be_told_either(outsider, put_back):
    put_back()
    with open("/dev/full", "w") as full:
        assert outsider.collect(stderr=full).returncode == 4
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w") as broken:
        assert outsider.collect(stderr=broken).returncode == 4
    assert len(outsider.evidence()) == 1


def test_a_checkpoint_that_cannot_be_stored_is_no_contradiction(outsider):
    outsider.into.write_text("no folder\n")
    done = outsider.collect()
    assert done.returncode == 1 and "the ledger continues, but its checkpoint cannot be stored" in done.stderr


def test_a_checkpoint_of_another_key_is_a_contradiction(outsider, own_service):
    other = Operator(own_service).make("restrictive")
    outsider.verifier.write_text(other.expect(200, "GET", other.path("/ledger")).json()["verifierKey"])
    for _ in range(2):
        done = outsider.collect()
        assert (done.returncode, outsider.names()) == (4, [])
        assert "does not hold" in done.stderr and len(outsider.evidence()) == 1


@pytest.mark.parametrize("damage", [lambda key: key[:-4], lambda key: ""], ids=["cut", "empty"])
def test_a_verifier_key_that_is_none_is_wrong_usage(outsider, damage):
    outsider.verifier.write_text(damage(outsider.verifier.read_text().strip()))
    done = outsider.collect()
    assert (done.returncode, outsider.names()) == (2, []), done.stderr
    assert "verifier key" in done.stderr and not (outsider.into / "contradictions").exists()


def test_a_collected_checkpoint_that_is_none_is_wrong_usage(outsider):
    (name,) = collected(outsider)
    (outsider.into / name).write_text("")
    done = outsider.collect()
    assert done.returncode == 2 and name in done.stderr, done.stderr
    assert not (outsider.into / "contradictions").exists()


def test_a_service_that_cannot_be_asked_is_no_contradiction(outsider, own_service):
    collected(outsider)
    kept = outsider.contents()
    assert own_service.stop() == 0
    done = outsider.collect()
    assert done.returncode == 1 and "cannot be asked" in done.stderr
    own_service.start()
    assert outsider.collect(org="somebody-else").returncode == 1
    assert outsider.contents() == kept and not (outsider.into / "contradictions").exists()


@pytest.mark.parametrize("collected_before", [False, True])
@pytest.mark.parametrize(
    "end, status",
    [("kill -KILL $$", 137), ("exit 1", 1), ("echo 'consentlink: standard output takes no more' >&2; exit 1", 1),
     ("echo 'consentlink: x does not hold: y' >&2; kill -KILL $$", 137)],
    ids=["killed", "silent", "another failure", "killed while it says so"],
)  # fmt: skip
def test_a_verification_that_does_not_come_to_its_end_accuses_nobody(outsider, end, status, collected_before):
    if collected_before:
        collected(outsider)
    kept = outsider.contents()
    program = outsider.commands / "consentlink"
    program.unlink()
    program.write_text(f'#!/bin/bash\n[[ $1 != verify ]] || {{ {end}; }}\nexec "{binary()}" "$@"\n')
    program.chmod(0o755)
    done = outsider.collect()
    assert done.returncode == 1 and f"verify ended with {status}" in done.stderr, done.stderr
    assert outsider.contents() == kept and not (outsider.into / "contradictions").exists()
    program.unlink()
    program.symlink_to(binary())
    collected(outsider)


@pytest.mark.parametrize("arguments", [[], ["--org"], ["--org", "x"], ["--what", "x"]])
def test_wrong_usage_is_told(arguments):
    done = subprocess.run([COLLECT, *arguments], capture_output=True, text=True, timeout=20)
    assert done.returncode == 2 and done.stderr.startswith("usage: ")


class TestAnswersOfAnotherLedger:
    """A service that signs two ledgers, and chooses by the question from which one it answers."""

    @pytest.fixture
    def honest(self):
        book = Book()
        book.enforce("nonRestrictive")
        for number in range(10):
            book.decide(f"person{number}@people.example", "33d0000000000001")
        return book

    @pytest.fixture
    def collector(self, tmp_path, honest):
        for name in ("bin", "answers", "given", "collected"):
            (tmp_path / name).mkdir()
        (tmp_path / "key").write_text("clk_x\n")
        (tmp_path / "verifier").write_text(honest.signer.verifier + "\n")
        (tmp_path / f"collected/{len(honest.entries):020}.txt").write_text(honest.checkpoint())
        program = tmp_path / "bin/consentlink"
        program.write_text(f"""#!/bin/bash
            [[ $1 == audit ]] || exec "{binary()}" "$@"
            question=plain
            while (($#)); do
                case $1 in --output) output=$2 ;; --since) question=since ;; esac
                shift
            done
            cat "{tmp_path}/answers/$question.said" >&2 2>/dev/null && exit 1
            cp "{tmp_path}/answers/$question" "$output"
            cp "$output" "{tmp_path}/given/$question"
            """)
        program.chmod(0o755)
        return tmp_path

    @staticmethod
    def collect(folder):
        options = {"key": "key", "verifier": "verifier", "into": "collected"}
        return subprocess.run(
            [COLLECT, "--org", "acme", *(part for name, file in options.items() for part in (f"--{name}", folder / file))],
            env=environment(PATH=f"{folder}/bin:{environment()['PATH']}"),
            capture_output=True,
            text=True,
            timeout=60,
        )

    @staticmethod
    def edge(book, since=None):
        filters = {"from": "9999-01-01T00:00:00.000Z"}
        return book.archive(filters=filters, since=since, only=lambda index, entry: False).pack()

    @staticmethod
    def grown(book, count):
        grown = book.copy()
        for number in range(count):
            grown.decide(f"later{number}@people.example", "33d0000000000001")
        return grown

    @staticmethod
    def forked(book):
        forked = book.copy()
        forked.entries[5].private["recipient"] = "another@people.example"
        return forked

    @pytest.mark.parametrize("entered_since", [0, 30], ids=["of the same size", "larger"])
    def test_one_that_it_gives_is_compared_and_never_dropped(self, collector, honest, entered_since):
        other = self.grown(self.forked(honest), entered_since)
        (collector / "answers/plain").write_bytes(self.edge(other))
        (collector / "answers/since").write_bytes(self.edge(self.grown(honest, 2), len(honest.entries)))
        done = self.collect(collector)
        given = [path.name for path in (collector / "given").iterdir()]
        assert done.returncode == (4 if "plain" in given else 0), (done.stderr, given)
        (collector / "answers/since").write_bytes(self.edge(other, len(honest.entries) if entered_since else None))
        done = self.collect(collector)
        assert done.returncode == 4 and "does not continue" in done.stderr
        (evidence,) = (collector / "collected/contradictions").iterdir()
        assert (evidence / "checkpoint").exists() or (evidence / "edge.tar").exists()

    @pytest.mark.parametrize("answers", [False, True], ids=["says nothing else", "shows another ledger"])
    def test_a_refusal_counts_whatever_it_answers_then(self, collector, honest, answers):
        refusal = "consentlink: the service refused: /since: the ledger does not continue this checkpoint\n"
        (collector / "answers/since.said").write_text(refusal)
        if answers:
            (collector / "answers/plain").write_bytes(self.edge(self.grown(self.forked(honest), 30)))
        else:
            (collector / "answers/plain.said").write_text("consentlink: the service does not answer\n")
        done = self.collect(collector)
        assert done.returncode == 4 and "does not continue" in done.stderr, done.stderr
        (evidence,) = (collector / "collected/contradictions").iterdir()
        assert "/since" in (evidence / "said").read_text()
        assert (evidence / "edge.tar").exists() == answers
        assert (evidence / "checkpoint").exists() == answers
