"""Tracking IDs: only the very bytes that this deployment signed open, and a link tells nothing about anybody."""

import hashlib
import json
import re
import time

import pytest

from harness import times, tokens, wire
from harness.client import Operator, assert_misfit, message, person
from harness.service import CommandLine
from harness.sql import as_text, hexadecimal


@pytest.fixture(scope="module")
def link(operator):
    return operator.make().tracked_link()


def assert_none_redirects(service, paths):
    """Every one of these paths is answered 404, and leads nowhere."""
    paths = list(paths)
    with wire.Connection(service.listen) as connection:
        for path in paths:
            connection.send(wire.request("GET", path, service.listen))
            answer = connection.receive()
            assert answer.status == 404, f"{path} → {answer.status}"
            assert answer.all("Location") == [], path
    return len(paths)


class TestForgedLink:
    def test_with_any_one_bit_flipped_is_404(self, service, link):
        token = tokens.of_link(link.url)
        genuine = tokens.decode(token)

        def flipped(bit):
            altered = bytearray(genuine)
            altered[bit // 8] ^= 1 << bit % 8
            return tokens.encode(bytes(altered))

        altered = {flipped(bit) for bit in range(320)}
        assert len(altered) == 320 and token not in altered
        assert assert_none_redirects(service, (f"/r/{forged}" for forged in altered)) == 320
        assert wire.follow(link.url).status == 302

    def test_cut_anywhere_is_404(self, service, link):
        token = tokens.of_link(link.url)
        cut = {token[:length] for length in range(54)} | {token[start:] for start in range(1, 54)}
        cut |= {token[:place] + token[place + 1 :] for place in range(54)}
        assert_none_redirects(service, (f"/r/{forged}" for forged in cut))

    def test_extended_by_any_character_is_404(self, service, link):
        token = tokens.of_link(link.url)
        extended = {token + character for character in tokens.ALPHABET + "=.~"}
        extended |= {character + token for character in tokens.ALPHABET + "=.~"}
        extended |= {token[:27] + character + token[27:] for character in tokens.ALPHABET}
        extended |= {token + token, token + "AA", token + "A" * 10}
        assert token not in extended
        assert_none_redirects(service, (f"/r/{forged}" for forged in extended))

    def test_with_any_bit_set_after_its_last_byte_is_404(self, service, link):
        token = tokens.of_link(link.url)
        last = tokens.ALPHABET.index(token[-1])
        assert last % 16 == 0, "the four trailing bits are not zero"
        variants = [token[:-1] + tokens.ALPHABET[last + trailing] for trailing in range(1, 16)]
        assert_none_redirects(service, (f"/r/{forged}" for forged in variants))

    @pytest.mark.parametrize("padding", ["=", "==", "%3D", "%3D%3D", "%20", "+", "%0A", "%00"])
    def test_padded_is_404(self, service, link, padding):
        assert_none_redirects(service, [f"/r/{tokens.of_link(link.url)}{padding}"])

    def test_in_another_alphabet_is_404(self, service, operator):
        org = operator.make()
        people = [person() for _ in range(40)]
        org.record_all([{"recipient": who, "state": "given"} for who in people])
        composed = org.compose(people)
        found = [tokens.of_link(composed.link(who)) for who in people]
        for special, standard in (("-", "+"), ("_", "/"), ("-", "%2B"), ("_", "%2F"), ("-", "%2D"), ("_", "%5F")):
            with_special = [token for token in found if special in token]
            assert with_special
            assert_none_redirects(service, (f"/r/{token.replace(special, standard)}" for token in with_special))
        assert_none_redirects(service, (f"/r/{token.swapcase()}" for token in found))

    def test_with_any_character_percent_encoded_is_404(self, service, link):
        token = tokens.of_link(link.url)
        encoded = (token[:place] + f"%{ord(token[place]):02X}" + token[place + 1 :] for place in range(54))
        assert_none_redirects(service, (f"/r/{forged}" for forged in encoded))

    def test_with_text_beyond_ascii_in_it_or_behind_a_forged_one_is_404(self, service, link):
        token = tokens.of_link(link.url)
        paths = [token[:place] + text + token[place:] for place in range(54) for text in ("%E2%80%9D", wire.utf8("”"))]
        paths += [token[:-1] + "%E2%80%9D", token + "A%E2%80%9D", token + "=%C3%A9", "%C1%81" + token[1:]]
        assert_none_redirects(service, (f"/r/{forged}" for forged in paths))

    def test_with_its_halves_taken_from_two_genuine_ones_is_404(self, service, operator):
        org = operator.make()
        first, second = (tokens.decode(tokens.of_link(org.tracked_link().url)) for _ in range(2))
        mixed = {first[:cut] + second[cut:] for cut in range(8, 40)} - {first, second}
        assert_none_redirects(service, (f"/r/{tokens.encode(forged)}" for forged in mixed))

    def test_for_another_link_of_the_message_is_404(self, service, link):
        genuine = tokens.decode(tokens.of_link(link.url))
        for index in (0, 2, 3, 256, 65_535):
            forged = genuine[:6] + index.to_bytes(2, "big") + genuine[8:]
            assert_none_redirects(service, [f"/r/{tokens.encode(forged)}"])

    def test_records_nothing(self, operator, service):
        org = operator.make()
        link = org.tracked_link()
        raw = tokens.decode(tokens.of_link(link.url))
        forged = raw[:-1] + bytes([raw[-1] ^ 1])
        assert_none_redirects(service, [f"/r/{tokens.encode(forged)}"])
        assert org.clicks(link) == []


class TestAnotherDeployment:
    def test_neither_opens_the_others_links(self, service, link, start):
        other = start()
        foreign = Operator(other).make().tracked_link()
        assert_none_redirects(service, [f"/r/{tokens.of_link(foreign.url)}"])
        assert_none_redirects(other, [f"/r/{tokens.of_link(link.url)}"])
        assert wire.follow(foreign.url).status == 302
        assert wire.follow(link.url).status == 302


class TestKeys:
    @pytest.fixture
    def command_line(self, own_service):
        return CommandLine(own_service)

    def key_of(self, link):
        return tokens.fields(tokens.of_link(link.url)).key

    def test_rotated_sign_new_links_and_still_open_old_ones(self, own_service, own_org, command_line):
        old = own_org.tracked_link()
        assert command_line.ask("keys", "rotate").returncode == 0
        new = own_org.tracked_link()
        assert self.key_of(new) != self.key_of(old)
        for _ in range(2):
            assert wire.follow(old.url).status == wire.follow(new.url).status == 302
            own_service.restart()
        assert self.key_of(own_org.tracked_link()) == self.key_of(new)

    def test_retired_open_nothing_any_more_also_after_a_restart(self, own_service, own_org, command_line):
        old = own_org.tracked_link()
        assert command_line.ask("keys", "rotate").returncode == 0
        new = own_org.tracked_link()
        retired = command_line.ask("keys", "retire", str(self.key_of(old)), "--force")
        assert retired.returncode == 0, retired.stderr
        for _ in range(2):
            assert_none_redirects(own_service, [f"/r/{tokens.of_link(old.url)}"])
            assert wire.follow(new.url).status == 302
            own_service.restart()
        assert own_org.clicks(old) == []

    def test_are_not_retired_while_links_may_be_alive_unless_forced(self, own_service, own_org, command_line):
        old = own_org.tracked_link()
        assert command_line.ask("keys", "rotate").returncode == 0
        refused = command_line.ask("keys", "retire", str(self.key_of(old)))
        assert refused.returncode == 1
        assert "force" in refused.stderr
        assert wire.follow(old.url).status == 302

    def test_are_kept_alive_by_no_message_for_longer_than_links_live(self, own_service, own_org, command_line):
        """One tenant's message must not keep the operator from retiring a key."""
        later = message(expiresAt=times.from_now(days=182))
        assert_misfit(own_org.call("POST", own_org.path("/messages"), later), "/expiresAt")
        assert_misfit(own_org.call("POST", own_org.path("/payloads"), {
            "message": later, "format": "plain", "recipients": ["ana@people.example"]}), "/message/expiresAt")
        made = own_org.make_message(message(expiresAt=times.from_now(days=179)))["id"]
        assert own_service.stop() == 0
        # As a version stored it that did not bound it.
        row = f"id = {int(made, 16)}"
        ((content,),) = own_service.stored(f"SELECT {as_text('content')} FROM messages WHERE {row}")
        old = re.sub('"expiresAt":"[^"]+"', '"expiresAt":"2100-01-01T00:00:00.000Z"', content).encode()
        assert old != content.encode()
        assert own_service.change(
            f"UPDATE messages SET content = {hexadecimal(old.hex())}, expires_at = 4102444800000,"
            f" digest = {hexadecimal(hashlib.sha256(old).hexdigest())} WHERE {row}") == 1
        own_service.start()
        recipient = person()
        own_org.record(recipient, "given")
        link = own_org.compose([recipient], message_id=made).link(recipient)
        assert tokens.fields(tokens.of_link(link)).expires < time.time() + 182 * 86_400
        assert command_line.ask("keys", "rotate").returncode == 0
        keys = json.loads(command_line.ask("keys", "list", "--json").stdout)["keys"]
        old, new = keys
        assert old["linksAliveUntil"] < times.from_now(days=182) and new["linksAliveUntil"] is None

    def test_that_sign_are_not_retired(self, own_service, own_org, command_line):
        link = own_org.tracked_link()
        assert command_line.ask("keys", "retire", str(self.key_of(link))).returncode == 1
        assert wire.follow(link.url).status == 302

    def test_unknown_are_not_retired(self, own_service, command_line):
        assert command_line.ask("keys", "retire", "200", "--force").returncode == 1

    def test_are_listed_without_their_secrets(self, own_service, own_org, command_line):
        old = own_org.tracked_link()
        assert command_line.ask("keys", "rotate").returncode == 0
        new = own_org.tracked_link()
        listed = command_line.json("keys", "list")
        for link in (old, new):
            assert str(self.key_of(link)) in json.dumps(listed)
        plain = command_line.ask("keys", "list")
        assert plain.returncode == 0 and len(plain.stdout.splitlines()) >= 2


PEOPLE = 256


@pytest.fixture(scope="module")
def sent(operator):
    """The tokens of two messages for the same people, as bytes."""
    org = operator.make()
    people = [person() for _ in range(PEOPLE)]
    org.record_all([{"recipient": who, "state": "given"} for who in people])
    compositions = [org.compose(people) for _ in range(2)]
    return [[tokens.decode(tokens.of_link(sent.link(who))) for who in people] for sent in compositions]


class TestALinkTellsNothing:
    def test_in_its_plain_part_everybodys_is_the_same(self, sent):
        first, second = sent
        assert len({token[:8] for token in first}) == 1
        assert len({token[:8] for token in second}) == 1

    def test_two_messages_to_one_person_have_no_more_in_common_than_two_strangers(self, sent):
        first, second = sent
        same_person = list(zip(first, second))
        strangers = list(zip(first, second[1:] + second[:1]))

        def agreements(pairs):
            """For each byte of subject and tag, in how many pairs it is the same."""
            return [sum(one[place] == other[place] for one, other in pairs) for place in range(8, 40)]

        # Of 256 pairs one agrees by chance; ten and more do so once in ten million times.
        assert max(agreements(strangers)) < 10, "a byte of the message shows"
        assert max(agreements(same_person)) < 10, "a byte of the person shows"

    def test_one_message_to_two_people_has_nothing_in_common_but_the_plain_part(self, sent):
        (first, _) = sent
        for place in range(8, 40):
            commonest = max([token[place] for token in first].count(value) for value in range(256))
            assert commonest < 12, f"byte {place} is the same for {commonest} of {PEOPLE} people"

    def test_no_two_are_equal(self, sent):
        everything = [token[8:] for tokens_of_message in sent for token in tokens_of_message]
        assert len(set(everything)) == len(everything)

    def test_the_tracking_id_and_the_link_of_one_payload_share_the_subject_and_not_the_tag(self, operator):
        org = operator.make()
        recipient = person()
        org.record(recipient, "given")
        links = org.compose([recipient], message()).links(recipient)
        link, tracking_id = tokens.decode(tokens.of_link(links["link"])), tokens.decode(links["trackingId"])
        assert link[8:24] == tracking_id[8:24]
        assert link[24:] != tracking_id[24:]
