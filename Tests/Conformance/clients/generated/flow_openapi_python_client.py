"""The way of a backend, through the client that openapi-python-client generates: API and operator key in the environment.

Prints what a test compares, as JSON.
"""

import json
import os
import time

from consent_link_client import AuthenticatedClient
from consent_link_client.api.composing import compose
from consent_link_client.api.consent import record_consent
from consent_link_client.api.organizations import create_organization
from consent_link_client.api.reading import list_decisions, list_interactions
from consent_link_client.models import (
    ConsentState,
    Enforcement,
    Forever,
    GivenRetentionType0,
    Message,
    NewConsent,
    NewOrganization,
    PayloadFormat,
    PayloadRequest,
)

API, ORG = os.environ["API"], os.environ["ORG"]


def client(key):
    return AuthenticatedClient(base_url=API, token=key)


made = create_organization.sync(
    client=client(os.environ["OPERATOR_KEY"]),
    body=NewOrganization(
        id=ORG,
        enforcement=Enforcement.RESTRICTIVE,
        name="Generated",
        retention=GivenRetentionType0(interactions_days=90, decisions_days=Forever.FOREVER),
    ),
)
backend = client(made.key.key)
recorded = record_consent.sync(
    ORG, client=backend, body=[NewConsent(recipient="ana@example.com", state=ConsentState.GIVEN)]
)
composed = compose.sync(
    ORG,
    client=backend,
    body=PayloadRequest(
        format_=PayloadFormat.PLAIN,
        recipients=["ana@example.com", "bo@example.com"],
        message=Message(name="spring-sale", link="https://shop.example/spring"),
    ),
)
link = composed.payloads[0].payload["link"]
print(json.dumps({"link": link}), flush=True)
input()  # The test follows the link.
for _ in range(50):
    feed = list_interactions.sync(ORG, client=backend)
    if feed.interactions:
        break
    time.sleep(0.1)
print(
    json.dumps(
        {
            "consent": recorded.consents[0].state.value,
            "reasons": [d.reason.value for d in list_decisions.sync(ORG, client=backend).decisions],
            "interactions": [[i.type_.value, i.link.url] for i in feed.interactions],
            "cursor": bool(feed.cursor),
            "retention": [made.retention.interactions_days, made.retention.decisions_days],
            "visitors": [i.visitor.value for i in feed.interactions],
        }
    )
)
