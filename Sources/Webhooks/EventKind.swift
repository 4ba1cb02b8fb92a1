/// The kind of an event. Its name is in settings, answers and events.
package enum EventKind: String, Hashable, Sendable, CaseIterable {
    case consentRecorded = "consent.recorded"
    case recipientErased = "recipient.erased"
    case messageDisabled = "message.disabled"
    /// There are more interactions. It says up to which place, but nothing about them.
    case interactionsAvailable = "interactions.available"
    /// Another endpoint of the organization was disabled because it failed.
    case endpointFailing = "endpoint.failing"
    /// The owner of the endpoint asked for a test. Every endpoint gets its own tests.
    case endpointTest = "endpoint.test"

    /// The kinds that an endpoint may ask for.
    package static let selectable: [EventKind] = allCases.filter { $0 != .endpointTest }
}
