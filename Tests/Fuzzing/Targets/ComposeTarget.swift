import Consent
import Formats
import Identifiers
import JSON
import Messages
import TrackingIDs

/// A message is refused, or it becomes JSON on every wire: the same bytes for all who are not tracked, and for those
/// who are, bytes that differ in nothing but what identifies them.
struct ComposeTarget: FuzzTarget {
    static let name = "compose-json"

    private static let formats: [PayloadFormat] =
        PayloadFormat.Platform.allCases.flatMap { [.dynamics365($0), .adobeCampaign($0), .bird($0)] } + [
            .email, .plain,
        ]

    private let rules: TargetRules
    private let organization: OrganizationID
    private let sealer: TrackingIDSealer
    private let messageID: MessageID
    private let untracked: RecordedDecision
    /// Two who are tracked.
    private let tracked: [(decision: RecordedDecision, recipient: RecipientReference)]

    init() throws {
        rules = TargetRules(ownOrigin: try Samples.ownOrigin())
        organization = try OrganizationID("acme")
        sealer = try TrackingIDSealer(keyRing: Samples.keyRing())
        messageID = try Samples.message(0x33B2_E7A1_C04F_1D2A)
        untracked = try Self.decision(.consentWithdrawn, Samples.recipient(0x9F3C_51D0_7BE2_648A))
        tracked = try [0x9F3C_51D0_7BE2_648A as UInt64, 0x1122_3344_5566_7788].map { number in
            let recipient = try Samples.recipient(number)
            return (try Self.decision(.consentGiven, recipient), recipient)
        }
    }

    private static func decision(
        _ reason: DecisionReason, _ recipient: RecipientReference
    ) throws -> RecordedDecision {
        guard let id = DecisionID(rawValue: 1),
            let decision = RecordedDecision(stored: id, reason: reason, reference: recipient)
        else { throw BrokenPromise(description: "there is no decision") }
        return decision
    }

    func hold(_ input: [UInt8]) throws -> Bool {
        guard let value = try? JSONValue.parse(input) else { return false }
        try demand(try JSONValue.parse(value.serialized()) == value, "a value is written as another")
        guard let message = try? Message.shape(rules: rules).read(value) else { return false }
        let stored = try message.canonicalJSON
        try demand(try Message(canonicalJSON: stored) == message, "a message is stored as another")
        for format in Self.formats {
            guard
                let compiled = try? CompiledMessage(
                    message, format: format, origin: rules.ownOrigin, organization: organization, at: .root)
            else { continue }
            try hold(compiled, of: message, stored: stored)
        }
        return true
    }

    private func hold(_ compiled: CompiledMessage, of message: Message, stored: [UInt8]) throws {
        let plain = rendered(untracked, compiled)
        try demand((try? JSONValue.parse(plain)) != nil, "an untracked payload is no JSON")
        let marks = tracked.map { self.marks(of: $0.recipient, message) }
        for mark in marks.joined() where plain.contains(mark) {
            try demand(stored.contains(mark), "an untracked payload identifies somebody")
        }
        let payloads = tracked.map { rendered($0.decision, compiled) }
        for payload in payloads {
            try demand((try? JSONValue.parse(payload)) != nil, "a tracked payload is no JSON")
        }
        let nameless = payloads.map { payload in
            marks.joined().reduce(payload) { $0.replacing($1, with: [UInt8(ascii: "*")]) }
        }
        try demand(nameless[0] == nameless[1], "tracked payloads differ in more than what identifies")
        try demand(payloads[0].count == payloads[1].count, "tracked payloads are not equally long")
    }

    /// Everything that can tell in a payload whose it is.
    private func marks(of recipient: RecipientReference, _ message: Message) -> [[UInt8]] {
        ([.message] + message.links.map(\.index)).flatMap { link -> [[UInt8]] in
            let id = TrackingID(message: messageID, recipient: recipient, link: link, expiry: Samples.expiry)
            let bytes = sealer.bytes(of: id)
            let hexadecimal = bytes.indices.map { String(UInt16(bytes[$0]) + 0x100, radix: 16).dropFirst() }.joined()
            return [Array(sealer.seal(id).utf8), Array(hexadecimal.utf8)]
        }
    }

    private func rendered(_ decision: RecordedDecision, _ compiled: CompiledMessage) -> [UInt8] {
        var output: [UInt8] = []
        compiled.render(
            .together(decision), of: messageID, expiry: Samples.expiry, sealer: sealer, into: &output)
        return output
    }
}
