// The way of a backend, through the client that openapi-generator generates for TypeScript: API and operator key in the
// environment. Prints what a test compares, as JSON.

import {
    ComposingApi, Configuration, ConsentApi, ConsentState, Enforcement, Forever, OrganizationsApi, PayloadFormat, ReadingApi,
} from "./client";

declare const process: any;

const { API, OPERATOR_KEY, ORG: org } = process.env;

function through(key: string): Configuration {
    return new Configuration({ basePath: API, accessToken: key });
}

async function main(): Promise<void> {
    const made = await new OrganizationsApi(through(OPERATOR_KEY)).createOrganization({
        newOrganization: {
            id: org, enforcement: Enforcement.Restrictive, name: "Generated",
            retention: { interactionsDays: 90, decisionsDays: Forever.Forever },
        },
    });
    const backend = through(made.key.key);
    const recorded = await new ConsentApi(backend).recordConsent({
        org,
        newConsent: [{ recipient: "ana@example.com", state: ConsentState.Given }],
        idempotencyKey: '"consent-1"',
    });
    const composed = await new ComposingApi(backend).compose({
        org,
        payloadRequest: {
            format: PayloadFormat.Plain,
            recipients: ["ana@example.com", "bo@example.com"],
            message: { name: "spring-sale", link: "https://shop.example/spring" },
        },
    });
    console.log(JSON.stringify({ link: composed.payloads[0].payload["link"] }));
    // The test follows the link, and then writes a line.
    await new Promise((resolve) => process.stdin.once("data", resolve));
    const reading = new ReadingApi(backend);
    let feed = await reading.listInteractions({ org });
    for (let attempt = 0; attempt < 50 && feed.interactions.length === 0; attempt++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        feed = await reading.listInteractions({ org });
    }
    const decisions = await reading.listDecisions({ org });
    console.log(
        JSON.stringify({
            consent: recorded.consents[0].state,
            reasons: decisions.decisions.map((decision) => decision.reason),
            interactions: feed.interactions.map((interaction) => [interaction.type, interaction.link?.url]),
            cursor: feed.cursor.length > 0,
            retention: [made.retention.interactionsDays, made.retention.decisionsDays],
            visitors: feed.interactions.map((interaction) => interaction.visitor),
        })
    );
    process.stdin.destroy();
}

main().catch((error) => {
    console.error(error);
    process.exit(1);
});
