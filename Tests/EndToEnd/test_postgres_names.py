"""What names a person on PostgreSQL: sealed in every row, file, log and dump, and gone with an erasure."""

import pytest

from harness import postgres
from harness.client import Operator, message, person
from harness.service import Service


@pytest.fixture
def org(tmp_path):
    server = postgres.server()
    database = server.make_database()
    service = Service(tmp_path, settings={"CONSENTLINK_STORAGE": server.url(database)}).start()
    org = Operator(service).make("nonRestrictive")
    org.database = database
    yield org
    assert service.stop() == 0
    service.assert_log_is_discreet()


def test_no_file_and_no_dump_has_a_name_in_the_clear_before_and_after_an_erasure(org):
    server = postgres.server()
    ana = person("harbour-street")
    notice = {"id": "n", "version": "1", "language": "en", "text": "Dear Ana of Harbour Street, may we?"}
    org.ask_for_consent(person("other"), notice=notice)
    org.record(ana, "given", evidence={"method": "web-form", "source": "https://shop.example/the-harbour-form"})
    org.compose([ana], message("spring"))
    secrets = (ana, "Harbour Street", "the-harbour-form")
    for _ in range(2):
        server.psql("CHECKPOINT")
        dump = server.dump(org.database)
        assert "recipients" in dump and org.id in dump, "the dump has what is stored"
        assert server.files_with(org.id), "the search finds what is there"
        assert server.files_with(*secrets) == set()
        assert not any(secret in dump for secret in secrets)
        org.erase(ana)


def test_an_erasure_clears_the_sealed_bytes_of_the_person_in_every_row(org):
    server = postgres.server()
    ana, bo = person("ana"), person("bo")
    for who in (ana, bo):
        org.record(who, "given", evidence={"method": "web-form"})
    org.compose([ana, bo], message("spring"))
    query = "SELECT count(*) FROM recipients WHERE identifier IS NOT NULL"
    evidence = "SELECT count(*) FROM consents WHERE evidence IS NOT NULL"
    before = (int(server.psql(query, org.database)), int(server.psql(evidence, org.database)))
    org.erase(ana)
    assert (int(server.psql(query, org.database)), int(server.psql(evidence, org.database))) == (
        before[0] - 1, before[1] - 1)
    assert org.consent(bo)["history"] != []
