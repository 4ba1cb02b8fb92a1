"""Withdrawal: it works on the very next click, on links sent long before, and over restarts; so does erasure."""

import os
import time

import pytest

from harness import times, tokens, wire
from harness.client import Operator, message, person

TARGET = "https://shop.example/offer?a=1&b=2"


def click(link):
    """Follows a link, which must lead its reader to the target whatever is recorded."""
    answer = wire.follow(link.url)
    assert (answer.status, answer.header("Location")) == (302, TARGET)
    times.next_millisecond()


def wait_until(moment):
    time.sleep(max(0.0, moment.timestamp() - time.time()))


class TestWithdrawnConsent:
    @pytest.mark.parametrize("state", ["refused", "withdrawn", "revoked", "invalidated"])
    def test_stops_recording_on_the_very_next_click_and_given_again_resumes(self, org, state):
        link = org.tracked_link()
        click(link)
        org.record(link.recipient, state)
        click(link)
        click(link)
        assert len(org.clicks(link)) == 1
        org.record(link.recipient, "given")
        click(link)
        assert len(org.clicks(link)) == 2

    def test_and_given_back_and_forth_counts_each_time(self, org):
        link = org.tracked_link()
        with wire.Connection(org.service.listen) as connection:
            for state in ["withdrawn", "given"] * 10:
                times.next_millisecond()
                org.record(link.recipient, state)
                connection.send(wire.request("GET", f"/r/{tokens.of_link(link.url)}", org.service.listen))
                assert connection.receive().status == 302
        assert len(org.clicks(link)) == 10

    def test_stops_recording_for_that_person_alone(self, org):
        ana, bo = person("ana"), person("bo")
        org.record_all([{"recipient": who, "state": "given"} for who in (ana, bo)])
        composed = org.compose([ana, bo])
        org.record(ana, "withdrawn")
        for who in (ana, bo):
            assert wire.follow(composed.link(who)).status == 302
        org.settle()
        assert [seen["recipient"] for seen in org.interactions(message=composed.message)] == [bo]

    def test_stops_recording_for_its_purpose_alone(self, org):
        recipient = person()
        org.record(recipient, "given")
        org.record(recipient, "given", purpose="newsletter.tracking")
        link = org.tracked_link(recipient, consented=False)
        newsletter = org.tracked_link(recipient, message(purpose="newsletter.tracking"), consented=False)
        org.record(recipient, "withdrawn", purpose="newsletter.tracking")
        click(link)
        click(newsletter)
        assert (len(org.clicks(link)), len(org.clicks(newsletter))) == (1, 0)

    def test_recorded_by_a_fast_clock_counts_at_once(self, org):
        link = org.tracked_link()
        org.record(link.recipient, "withdrawn", occurredAt=times.from_now(minutes=4))
        click(link)
        assert org.clicks(link) == []

    def test_given_by_a_fast_clock_does_not_outlast_it(self, org):
        recipient = person()
        org.record(recipient, "given", occurredAt=times.from_now(minutes=4))
        link = org.tracked_link(recipient, consented=False)
        org.record(recipient, "withdrawn")
        click(link)
        assert org.clicks(link) == []

    def test_that_happened_before_the_consent_in_force_changes_nothing(self, org):
        link = org.tracked_link()
        org.record(link.recipient, "withdrawn", occurredAt=times.from_now(days=-1))
        click(link)
        assert len(org.clicks(link)) == 1

    def test_of_somebody_tracked_without_being_asked_stops_recording_too(self, lenient_org):
        link = lenient_org.tracked_link(consented=False)
        click(link)
        lenient_org.record(link.recipient, "refused")
        click(link)
        assert len(lenient_org.clicks(link)) == 1

    def test_in_an_array_of_records_counts_for_everybody_in_it(self, org):
        people = [person() for _ in range(20)]
        org.record_all([{"recipient": who, "state": "given"} for who in people])
        composed = org.compose(people)
        org.record_all([{"recipient": who, "state": "withdrawn"} for who in people[::2]])
        for who in people:
            assert wire.follow(composed.link(who)).status == 302
        org.settle()
        assert [seen["recipient"] for seen in org.interactions(message=composed.message)] == people[1::2]

    def test_outlives_a_restart(self, own_service, own_org):
        org = own_org
        withdrawn, given = org.tracked_link(), org.tracked_link()
        org.record(withdrawn.recipient, "withdrawn")
        own_service.restart()
        click(withdrawn)
        click(given)
        assert (len(org.clicks(withdrawn)), len(org.clicks(given))) == (0, 1)
        org.record(withdrawn.recipient, "given")
        own_service.restart()
        click(withdrawn)
        assert len(org.clicks(withdrawn)) == 1


class TestConsentForATime:
    def limited_link(self, org, seconds):
        recipient, until = person(), times.parse(times.from_now(seconds=seconds))
        org.record(recipient, "given", validUntil=times.render(until))
        return org.tracked_link(recipient, consented=False), until

    def test_records_until_it_ends_and_nothing_from_then_on(self, org):
        link, until = self.limited_link(org, 5)
        click(link)
        assert len(org.clicks(link)) == 1
        wait_until(until)
        time.sleep(0.05)
        click(link)
        assert len(org.clicks(link)) == 1
        assert org.consent(link.recipient)["current"][0]["state"] == "expired"

    def test_goes_on_recording_where_only_a_refusal_counts(self, lenient_org):
        link, until = self.limited_link(lenient_org, 1.5)
        wait_until(until)
        time.sleep(0.05)
        click(link)
        assert len(lenient_org.clicks(link)) == 1

    def test_ends_also_while_the_service_is_down(self, own_service, own_org):
        link, until = self.limited_link(own_org, 5)
        click(link)
        assert len(own_org.clicks(link)) == 1
        assert own_service.stop() == 0
        wait_until(until)
        own_service.start()
        click(link)
        assert len(own_org.clicks(link)) == 1

    def test_ends_on_its_time_after_a_restart(self, own_service, own_org):
        link, until = self.limited_link(own_org, 6)
        own_service.restart()
        click(link)
        assert len(own_org.clicks(link)) == 1
        assert times.now() < until, "the machine is too slow for this test: nothing was shown"
        wait_until(until)
        time.sleep(0.05)
        click(link)
        assert len(own_org.clicks(link)) == 1

    def test_given_anew_goes_on(self, org):
        link, until = self.limited_link(org, 3)
        wait_until(until)
        time.sleep(0.05)
        org.record(link.recipient, "given")
        click(link)
        assert len(org.clicks(link)) == 1


class TestEnforcement:
    def test_made_restrictive_stops_recording_whoever_never_gave_consent(self, lenient_org):
        org = lenient_org
        unasked, given = org.tracked_link(consented=False), org.tracked_link()
        click(unasked)
        assert len(org.clicks(unasked)) == 1
        org.set(enforcement="restrictive")
        click(unasked)
        click(given)
        assert (len(org.clicks(unasked)), len(org.clicks(given))) == (1, 1)
        org.set(enforcement="nonRestrictive")
        # In the millisecond of the change the stricter one still applies.
        times.next_millisecond()
        click(unasked)
        click(given)
        assert (len(org.clicks(unasked)), len(org.clicks(given))) == (2, 2)

    def test_made_restrictive_stops_recording_on_consent_that_has_expired(self, lenient_org):
        org = lenient_org
        recipient = person()
        org.record(recipient, "given", occurredAt=times.from_now(days=-2), validUntil=times.from_now(days=-1))
        link = org.tracked_link(recipient, consented=False)
        click(link)
        assert len(org.clicks(link)) == 1
        org.set(enforcement="restrictive")
        click(link)
        assert len(org.clicks(link)) == 1

    def test_made_restrictive_lets_consent_given_afterwards_record(self, lenient_org):
        org = lenient_org
        link = org.tracked_link(consented=False)
        org.set(enforcement="restrictive")
        click(link)
        org.record(link.recipient, "given")
        click(link)
        assert len(org.clicks(link)) == 1

    def test_made_less_restrictive_does_not_record_somebody_who_said_no(self, org):
        link = org.tracked_link()
        org.record(link.recipient, "withdrawn")
        org.set(enforcement="nonRestrictive")
        click(link)
        assert org.clicks(link) == []

    def test_of_one_organization_leaves_the_others_alone(self, operator):
        changed, other = operator.make("nonRestrictive"), operator.make("nonRestrictive")
        link = other.tracked_link(consented=False)
        changed.set(enforcement="restrictive")
        click(link)
        assert len(other.clicks(link)) == 1

    def test_outlives_a_restart_in_both_directions(self, own_service):
        org = Operator(own_service).make("nonRestrictive")
        unasked, given = org.tracked_link(consented=False), org.tracked_link()
        org.set(enforcement="restrictive")
        own_service.restart()
        click(unasked)
        click(given)
        assert (len(org.clicks(unasked)), len(org.clicks(given))) == (0, 1)
        org.set(enforcement="nonRestrictive")
        own_service.restart()
        click(unasked)
        assert len(org.clicks(unasked)) == 1


class TestErasure:
    def somebody(self, org):
        """A person with two consent records, a decision and a click, and every text that is about her alone."""
        recipient = person("erased")
        source = f"https://people.example/{os.urandom(8).hex()}"
        evidence = {"method": "web-form", "source": source, "actor": "subject"}
        org.record(recipient, "given", evidence=evidence, occurredAt=times.from_now(hours=-2))
        org.record(recipient, "given", evidence=evidence)
        link = org.tracked_link(recipient, consented=False)
        click(link)
        assert len(org.clicks(link)) == 1
        return link, (recipient, source)

    def test_says_how_many_records_lost_their_person(self, org):
        link, _ = self.somebody(org)
        assert org.erase(link.recipient) == {"consents": 2, "decisions": 1, "interactions": 1}
        assert org.erase(person()) == {"consents": 0, "decisions": 0, "interactions": 0}

    @pytest.mark.embedded_storage_only  # its files are searched
    def test_leaves_no_byte_of_the_person_in_any_file(self, own_service, own_org):
        link, texts = self.somebody(own_org)
        other, other_texts = self.somebody(own_org)
        for text in texts:
            assert own_service.files_with(text), f"{text} is nowhere: the search finds nothing that is there"
        own_org.erase(link.recipient)
        assert own_service.files_with(*texts) == set()
        assert own_service.stop() == 0
        assert own_service.files_with(*texts) == set()
        assert all(own_service.files_with(text) for text in other_texts)
        own_service.start()
        assert own_service.files_with(*texts) == set()

    def test_leaves_no_byte_of_a_person_who_clicked_an_instant_ago(self, own_service, own_org):
        link = own_org.tracked_link()
        for _ in range(20):
            click(link)
        own_org.erase(link.recipient)
        assert own_service.files_with(link.recipient) == set()
        own_org.settle()
        assert own_service.files_with(link.recipient) == set()
        assert own_org.query_interactions(recipient=link.recipient) == []

    def test_leaves_the_persons_links_working_and_records_nothing(self, own_service, own_org):
        link, _ = self.somebody(own_org)
        own_org.erase(link.recipient)
        click(link)
        own_service.restart()
        click(link)
        own_org.settle()
        (seen,) = own_org.interactions(message=link.message)
        assert seen["recipient"] is None

    def test_leaves_nothing_to_be_found_by_the_person(self, org):
        link, _ = self.somebody(org)
        org.erase(link.recipient)
        standing = org.consent(link.recipient)
        assert (standing["current"], standing["history"]) == ([], [])
        assert org.query_decisions(recipient=link.recipient) == []
        assert org.query_interactions(recipient=link.recipient) == []

    @pytest.mark.parametrize("enforcement", ["restrictive", "nonRestrictive"])
    def test_keeps_the_person_untracked_until_consent_is_given_anew(self, own_service, enforcement):
        org = Operator(own_service).make(enforcement)
        recipient = person()
        org.record(recipient, "given")
        org.erase(recipient)
        for restart in (False, True):
            if restart:
                own_service.restart()
            entry = org.compose([recipient]).of(recipient)
            assert (entry["tracked"], entry["decision"]["reason"]) == (False, "recipientErased")
        assert own_service.files_with(recipient) == set(), "composing for an erased person stores the person again"
        org.record(recipient, "given")
        entry = org.compose([recipient]).of(recipient)
        assert (entry["tracked"], entry["decision"]["reason"]) == (True, "consentGiven")
        assert wire.follow(entry["payload"]["link"]).status == 302
        org.settle()
        assert len(org.query_interactions(recipient=recipient)) == 1

    def test_of_somebody_unasked_keeps_the_person_untracked_too(self, lenient_org):
        link = lenient_org.tracked_link(consented=False)
        lenient_org.erase(link.recipient)
        entry = lenient_org.compose([link.recipient]).of(link.recipient)
        assert (entry["tracked"], entry["decision"]["reason"]) == (False, "recipientErased")
        click(link)
        assert lenient_org.query_interactions(recipient=link.recipient) == []

    def test_concerns_one_person_in_one_organization(self, operator):
        one, other = operator.make(), operator.make()
        recipient = person()
        for organization in (one, other):
            organization.record(recipient, "given")
        one.erase(recipient)
        assert len(other.consent(recipient)["history"]) == 1
        assert other.compose([recipient]).of(recipient)["tracked"] is True
