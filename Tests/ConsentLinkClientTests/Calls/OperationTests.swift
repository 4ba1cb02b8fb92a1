import Testing

@testable import ConsentLinkClient

/// The client has a call for every operation of the private listener. `CallTests` makes each of these calls.
@Suite struct OperationTests {
    /// Operations without a call, and why.
    private static let leftOut = [
        "listAccesses": "queryAccesses answers the same, and a recipient may be among its filters",
        "listDecisions": "queryDecisions answers the same, and a recipient may be among its filters",
        "listInteractions": "queryInteractions answers the same, and a recipient may be among its filters",
        "tableOfDecisions": "exportDecisionTable asks queryDecisions for it",
        "tableOfInteractions": "exportInteractionTable asks queryInteractions for it",
        "takeDeliveries": "relays call it",
        "renewDelivery": "relays call it",
        "reportDelivery": "relays call it",
        "askPeer": "nodes ask each other",
        "follow": "people's browsers call it",
        "openPixel": "people's mail programs call it",
        "showTracking": "people's browsers call it",
        "withdraw": "people's browsers call it",
        "fetchReceipt": "people's browsers call it",
        "showPreferences": "people's browsers call it",
        "showConsentRequest": "people's browsers call it",
        "answerConsentRequest": "people's browsers call it",
        "adobeCampaignHit": "devices call it",
        "adobeCampaignPostback": "devices call it",
        "dynamics365EventV1": "devices call it",
        "dynamics365EventV1WithoutID": "devices call it",
        "dynamics365EventV2": "devices call it",
        "birdInteraction": "devices call it",
        "globalPrivacyControl": "browsers and crawlers read it",
        "robots": "crawlers read it",
    ]

    private static let streamed: Set<String> = ["application/x-ndjson", "text/csv"]

    private static func isOf(_ operation: APIDocument.Operation, _ sample: CallSample) -> Bool {
        let parts = sample.line.split(separator: " ")
        let path = parts[1].prefix { $0 != "?" }.split(separator: "/")
        let template = operation.path.split(separator: "/")
        return parts[0] == operation.method && path.count == template.count
            && zip(path, template).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
    }

    @Test("every operation has a call", arguments: APIDocument.main.operations)
    func operations(_ operation: APIDocument.Operation) {
        let calls = CallSample.everything.filter { sample in
            Self.isOf(operation, sample) && !Self.streamed.contains(sample.sends)
                && !Self.streamed.contains(sample.accepts ?? "")
        }
        #expect(calls.isEmpty == (Self.leftOut[operation.id] != nil), "calls of \(operation.id): \(calls.map(\.line))")
    }

    @Test("every operation with lines or a table has a call", arguments: APIDocument.streams.operations)
    func streams(_ operation: APIDocument.Operation) {
        let calls = CallSample.everything.filter { sample in
            guard Self.isOf(operation, sample) else { return false }
            return operation.sends.contains("application/x-ndjson")
                ? operation.sends.contains(sample.sends) : operation.answers.contains(sample.accepts ?? "")
        }
        #expect(calls.isEmpty == (Self.leftOut[operation.id] != nil), "calls of \(operation.id): \(calls.map(\.line))")
    }

    @Test("each call is an operation of the documents, and nothing is left out that is not there")
    func documents() {
        let operations = APIDocument.main.operations + APIDocument.streams.operations
        #expect(APIDocument.main.operations.count > 40 && APIDocument.streams.operations.count > 8)
        let ids = Set(operations.map(\.id))
        #expect(Set(Self.leftOut.keys).subtracting(ids) == [])
        for sample in CallSample.everything {
            // The name of a part of a tile has a slash, which no parameter of OpenAPI can have.
            guard !sample.line.contains(".p/") else { continue }
            #expect(operations.contains { Self.isOf($0, sample) }, "\(sample.line)")
        }
    }
}
