import Consent
import Cryptography
import Formats
import Identifiers
import JSON
import Messages
import Testing
import TrackingIDs

/// The key, message, recipient and expiry of the first entries of the vectors of tracking IDs.
enum Samples {
    static let formats: [PayloadFormat] = [.dynamics365(.ios), .dynamics365(.android), .plain]

    static func origin() throws -> PublicOrigin { try PublicOrigin("https://links.example") }

    static func sealer() throws -> TrackingIDSealer {
        let key = KeyRing.Key(
            id: 1, secret: SecretBytes(Array(0..<32)), createdAt: Timestamp(secondsSince1970: 1_795_338_000))
        return try TrackingIDSealer(keyRing: KeyRing(keys: [key]))
    }

    static func tracked(_ recipient: UInt64 = 0x9f3c_51d0_7be2_648a) throws -> RecordedDecision {
        let id = try #require(DecisionID(rawValue: 1))
        let reference = try #require(RecipientReference(rawValue: recipient))
        return try #require(RecordedDecision(stored: id, reason: .consentGiven, reference: reference))
    }

    static func untracked(_ recipient: UInt64? = 0x9f3c_51d0_7be2_648a) throws -> RecordedDecision {
        let id = try #require(DecisionID(rawValue: (recipient ?? 2) >> 2 + 1))
        let reference = recipient.flatMap(RecipientReference.init(rawValue:))
        return try #require(RecordedDecision(stored: id, reason: .consentWithdrawn, reference: reference))
    }

    static func compiled(
        _ message: Message, _ format: PayloadFormat, at pointer: JSONPointer = .root
    ) throws -> CompiledMessage {
        try CompiledMessage(
            message, format: format, origin: origin(), organization: OrganizationID("acme"), at: pointer)
    }

    static func payload(_ decision: RecordedDecision, _ compiled: CompiledMessage) throws -> [UInt8] {
        try payload(.together(decision), compiled)
    }

    static func payload(_ decisions: RecipientDecisions, _ compiled: CompiledMessage) throws -> [UInt8] {
        var output: [UInt8] = []
        let message = try #require(MessageID(rawValue: 0x33b2_e7a1_c04f_1d2a))
        compiled.render(
            decisions, of: message, expiry: LinkExpiry(secondsSince1970: 1_811_030_400), sealer: try sealer(),
            into: &output)
        return output
    }

    static func message(_ json: JSONValue) throws -> Message {
        try Message.shape(rules: TargetRules(ownOrigin: origin())).read(json)
    }

    static func message(_ json: String) throws -> Message { try message(JSONValue.parse(Array(json.utf8))) }
}

extension JSONValue {
    subscript(_ names: String...) -> JSONValue? {
        var value: JSONValue? = self
        for name in names {
            guard case .object(let object) = value else { return nil }
            value = object[name]
        }
        return value
    }
}
