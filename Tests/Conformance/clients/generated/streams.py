"""Lines and a table, through the client that openapi-generator generates from docs/openapi-streams.yaml. Prints the
bodies of four answers."""

import os

import openapi_client as api

ORG = os.environ["ORG"]
client = api.ApiClient(api.Configuration(host=os.environ["API"], access_token=os.environ["KEY"]))
lines, tables = api.LinesApi(client), api.TablesApi(client)
consents = '{"recipient":"ana@example.com","state":"given"}\n{"recipient":"bo@example.com","state":"perhaps"}\n'
request = '{"message":{"name":"sale","link":"https://shop.example/"},"format":"plain"}\n'
answers = [
    lines.record_consent_lines(ORG, consents),
    lines.compose_lines(ORG, request + '"ana@example.com"\n"bo@example.com"\n'),
    lines.query_decision_lines(ORG, api.DecisionQuery(recipient="ana@example.com")),
    tables.table_of_decisions(ORG),
]
print("---\n".join(answer.decode() for answer in answers), end="")
