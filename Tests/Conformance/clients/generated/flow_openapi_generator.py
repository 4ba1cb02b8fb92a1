"""The way of a backend, through the client that openapi-generator generates: API and operator key in the environment.

Prints what a test compares, as JSON.
"""

import json
import os
import time

import openapi_client as api

API, ORG = os.environ["API"], os.environ["ORG"]


def client(key):
    return api.ApiClient(api.Configuration(host=API, access_token=key))


made = api.OrganizationsApi(client(os.environ["OPERATOR_KEY"])).create_organization(
    api.NewOrganization(
        id=ORG,
        enforcement=api.Enforcement.RESTRICTIVE,
        name="Generated",
        retention=api.GivenRetention(
            interactions_days=api.RetentionPeriod(90), decisions_days=api.RetentionPeriod(api.Forever.FOREVER)
        ),
    )
)
backend = client(made.key.key)
recorded = api.ConsentApi(backend).record_consent(
    ORG, [api.NewConsent(recipient="ana@example.com", state=api.ConsentState.GIVEN)]
)
composed = api.ComposingApi(backend).compose(
    ORG,
    api.PayloadRequest(
        format=api.PayloadFormat.PLAIN,
        recipients=["ana@example.com", "bo@example.com"],
        message=api.Message(name="spring-sale", link="https://shop.example/spring"),
    ),
)
link = composed.payloads[0].payload["link"]
print(json.dumps({"link": link}), flush=True)
input()  # The test follows the link.
reading = api.ReadingApi(backend)
for _ in range(50):
    feed = reading.list_interactions(ORG)
    if feed.interactions:
        break
    time.sleep(0.1)
print(
    json.dumps(
        {
            "consent": recorded.consents[0].state.value,
            "reasons": [d.reason.value for d in reading.list_decisions(ORG).decisions],
            "interactions": [[i.type.value, i.link.url] for i in feed.interactions],
            "cursor": bool(feed.cursor),
            "retention": [made.retention.interactions_days.actual_instance, made.retention.decisions_days.actual_instance],
            "visitors": [i.visitor.value for i in feed.interactions],
        }
    )
)
