package import Consent
package import Identifiers

/// A decision of a ledger that does not follow from the entries before it.
package struct DecisionException: Hashable, Sendable {
    /// The content of a decision: the reason, and the consent record that it rests on.
    package struct Judgement: Hashable, Sendable, CustomStringConvertible {
        let enforcement: Enforcement
        let reason: DecisionReason
        /// `nil` if there is none, or if it is not known any more.
        let consent: ConsentRecordID?

        package init(_ enforcement: Enforcement, _ reason: DecisionReason, _ consent: ConsentRecordID?) {
            self.enforcement = enforcement
            self.reason = reason
            self.consent = consent
        }

        package var description: String {
            "\(reason.outcome.rawValue) \(reason.rawValue) under \(enforcement.rawValue)"
                + (consent.map { ", resting on consent record \($0)" } ?? "")
        }
    }

    /// The decision that was expected.
    package enum Expectation: Hashable, Sendable {
        case judgement(Judgement)
        /// No enforcement was entered before it.
        case noDecision
        /// The last enforcement before it; the private fields that would tell more are gone.
        case enforcement(Enforcement)
        /// The policy does not have this reason under this enforcement.
        case anotherReason
        /// No erasure was entered before it.
        case noErasure
        /// Another decision about the same message says whether the message is tracked.
        case asOther(UInt64, isTracked: Bool)
        /// Another decision about the same message says which purposes the message has.
        case forPurposesOf(UInt64)
    }

    package let index: UInt64
    package let id: DecisionID
    package let expected: Expectation
    package let found: Judgement

    init(index: UInt64, id: DecisionID, expected: Expectation, found: Judgement) {
        self.index = index
        self.id = id
        self.expected = expected
        self.found = found
    }
}

extension DecisionException.Expectation: CustomStringConvertible {
    package var description: String {
        switch self {
        case .judgement(let judgement): judgement.description
        case .noDecision: "no decision, because no enforcement was entered before it"
        case .enforcement(let enforcement): "a decision under \(enforcement.rawValue), which was entered last"
        case .anotherReason: "another reason, because the policy has no such reason under this enforcement"
        case .noErasure: "another reason, because no recipient was erased before it"
        case .asOther(let index, let isTracked):
            "tracking \(isTracked ? "on" : "off"), as in entry \(index) about the same message"
        case .forPurposesOf(let index):
            "a decision about the purposes that entry \(index) shows for the same message"
        }
    }
}
