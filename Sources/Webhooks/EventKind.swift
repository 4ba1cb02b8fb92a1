/// What an event tells. Its name stands in settings, answers and events.
package enum EventKind: String, Hashable, Sendable, CaseIterable {
    case consentRecorded = "consent.recorded"
    case recipientErased = "recipient.erased"
    case messageDisabled = "message.disabled"
    /// There are more interactions. It says up to which place, and nothing of them.
    case interactionsAvailable = "interactions.available"
    /// Another endpoint of the organization was switched off because it failed.
    case endpointFailing = "endpoint.failing"
    /// Was asked for by the owner of the endpoint. Every endpoint takes it.
    case endpointTest = "endpoint.test"

    /// The kinds that an endpoint may ask for.
    package static let selectable: [EventKind] = allCases.filter { $0 != .endpointTest }
}
