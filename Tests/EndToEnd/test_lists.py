"""Lists of organizations and messages, and the filters of interactions, from outside."""

import json
import random
from urllib.parse import quote

import httpx
import pytest

from harness import wire
from harness.client import Operator, assert_problem, message, person, unique


def test_the_operator_lists_every_organization_once_and_in_order(own_service):
    operator = Operator(own_service)
    made = [operator.make(id=unique("org")).id for _ in range(7)]
    found, after = [], ""
    while True:
        page = operator.expect(200, "GET", f"/v1/orgs?limit=3{after}").json()
        found += page["organizations"]
        if not page["next"]:
            break
        after = f"&after={page['next']}"
    assert [one["id"] for one in found] == made
    for one in found:
        assert one == operator.expect(200, "GET", f"/v1/orgs/{one['id']}").json()
    assert own_service.stop() == 0
    own_service.start()
    again = Operator(own_service).expect(200, "GET", "/v1/orgs").json()["organizations"]
    assert again == found


def test_a_space_and_a_plus_sign_in_a_query_are_never_taken_for_each_other(org):
    spaced, added = org.make_message({"name": "a b", "tags": ["b c"]}), org.make_message({"name": "a+b", "tags": ["b+c"]})
    for query, found in [("name=a%20b", spaced), ("name=a%2Bb", added), ("tag=b%20c", spaced), ("tag=b%2Bc", added)]:
        listed = org.expect(200, "GET", org.path(f"/messages?{query}")).json()["messages"]
        assert [one["id"] for one in listed] == [found["id"]], query
    for path, pointer in [
        ("/messages?name=a+b", "/name"), ("/messages?tag=b+c", "/tag"), ("/report?tag=b+c", "/tag"),
        ("/decisions/sample?seed=dice+4711", "/seed"), ("/accesses?who=account:a+b", "/who"),
    ]:
        problem = assert_problem(org.call("GET", org.path(path)), 422)
        (error,) = problem["errors"]
        assert error["pointer"] == pointer and "%20" in error["detail"] and "%2B" in error["detail"], path


def test_messages_are_listed_newest_first_by_each_filter_and_all_of_them(org):
    chosen = random.Random(5)
    made = []
    for number in range(60):
        name = chosen.choice(["spring", "spring-sale", "Spring", "é", "e\u0301"]) + f"-{number}"
        tags = chosen.sample(["a", "b", "ü", "u\u0308"], chosen.randint(0, 4))
        stored = org.make_message({"name": name, "tags": tags})
        assert stored["tags"] == sorted(tags, key=str.encode)
        made.insert(0, stored)
    assert [one["id"] for one in org.pages("/messages", "messages", limit=7)] == [one["id"] for one in made]
    times = [one["createdAt"] for one in made]
    for _ in range(60):
        query = {
            key: value
            for key, value in {
                "name": chosen.choice(["spring", "s", "S", "é", "e", "x"]), "tag": chosen.choice(["a", "ü", "c"]),
                "from": chosen.choice(times), "to": chosen.choice(times),
            }.items() if chosen.random() < 0.5
        }
        if query.get("from", "") > query.get("to", "3"):
            problem = assert_problem(org.call("GET", str(httpx.URL(org.path("/messages"), params=query))), 422)
            assert [error["pointer"] for error in problem["errors"]] == ["/to"]
            continue
        expected = [
            one["id"] for one in made
            if one["name"].encode().startswith(query.get("name", "").encode())
            and ("tag" not in query or query["tag"] in one["tags"])
            and query.get("from", "") <= one["createdAt"] < query.get("to", "3")
        ]
        found = org.pages("/messages", "messages", limit=chosen.randint(1, 20), **query)
        assert [one["id"] for one in found] == expected, query


def test_a_message_is_found_by_a_text_with_a_replacement_character(org):
    """Programs that read another encoding put it there; it is a character like any other."""
    name = unique("caf\ufffd")
    made = org.make_message(message(name, tags=["sal\ufffd"]))
    for member, text in (("name", name), ("tag", "sal\ufffd")):
        found = org.expect(200, "GET", org.path(f"/messages?{member}={quote(text)}")).json()["messages"]
        assert [one["id"] for one in found] == [made["id"]]


def test_other_tags_or_labels_make_another_message_and_their_order_does_not(org):
    content = message(tags=["a", "b"], linkLabel="L", actions=[{"id": "x", "title": "X", "link": "https://shop.example/x", "label": "M"}])
    first = org.make_message(content)["id"]
    assert org.make_message(content | {"tags": ["b", "a"]})["id"] == first
    others = [
        {"tags": ["a"]}, {"tags": []}, {"linkLabel": "l"}, {"linkLabel": None},
        {"actions": [{"id": "x", "title": "X", "link": "https://shop.example/x"}]},
    ]
    ids = {org.make_message(content | change)["id"] for change in others}
    assert len(ids) == len(others) and first not in ids


def test_interactions_are_filtered_by_link_automated_and_first(org):
    given = person("given")
    org.record(given, "given")
    content = message(linkLabel="offer", html='<a href="https://shop.example/1" data-consentlink-label="first">1</a>')
    links = [org.compose([given], content).link(given)]
    mail = org.compose([given], content, format="email")
    links.append(mail.payload(given)["html"].split('"')[1])
    for agent in ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "curl/8.5"):
        for link in links:
            assert wire.follow(link, headers={"User-Agent": agent}).status == 302
    org.settle()
    everything = org.interactions(message=mail.message)
    assert len(everything) == 4
    assert {one["link"]["label"] for one in everything} == {"offer", "first"}
    for query in (
        {"link": "1"}, {"link": "2"}, {"link": "9"}, {"automated": "true"}, {"automated": "false"}, {"first": "true"},
        {"first": "false"}, {"link": "1", "automated": "true", "first": "false"},
    ):
        def fits(one):
            return all(
                value == json.dumps(one["link"]["index"] if name == "link" else one[name]) for name, value in query.items())

        expected = [one for one in everything if fits(one)]
        assert org.interactions(message=mail.message, **query) == expected, query
        body = {name: json.loads(value) for name, value in query.items()} | {"recipient": given}
        assert org.query_interactions(**body) == expected, query


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [("POST", "/audits", {}), ("POST", "/decisions/query", {}), ("GET", "/ledger", None), ("GET", "", None)],
)
def test_a_query_that_would_do_nothing_is_refused(own_org, method, path, body):
    refused = own_org.call(method, own_org.path(path) + "?limit=1&recipient=x", body)
    assert refused.status_code == 422, refused.text
    assert own_org.call(method, own_org.path(path) + "?&", body).status_code == 200
