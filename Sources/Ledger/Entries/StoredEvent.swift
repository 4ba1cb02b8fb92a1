package import Consent
package import Identifiers
import JSON

/// The entry of an event, read from stored bytes that may have been changed. An event has no row of its own, so its
/// entry is stored. ``LedgerEntry`` writes it.
package struct StoredEvent {
    package enum Kind: String {
        case enforcement
        case erasure

        /// A text that the bytes of such an entry contain, and no others do.
        package var text: String { #""type":"\#(rawValue)""# }
    }

    /// A member that says how many rows an event was about.
    package enum Count: String {
        case accesses
        case consents
        case decisions
        case interactions

        /// A text that the bytes of an entry with this member contain.
        package var text: String { "\"\(rawValue)\":" }
    }

    private let members: JSONObject

    /// - Returns: `nil` if the bytes are not a JSON object.
    package init?(_ entry: [UInt8]) {
        guard case .object(let members)? = try? JSONValue.parse(entry) else { return nil }
        self.members = members
    }

    /// `nil` if the entry has no type.
    package var type: String? {
        if case .string(let type)? = members["type"] { type } else { nil }
    }

    package var isErasure: Bool { type == Kind.erasure.rawValue }

    package var instant: Timestamp? {
        guard case .string(let text)? = members["at"] else { return nil }
        return try? Timestamp(rfc3339: text)
    }

    /// `nil` if the entry does not have the count.
    package func count<Integer: FixedWidthInteger>(_ count: Count, as: Integer.Type = Integer.self) -> Integer? {
        if case .number(let number)? = members[count.rawValue] { number.integer() } else { nil }
    }

    /// The counts of an erasure; `nil` if one is missing.
    package var erasure: ErasureCounts? {
        guard let consents = rows(.consents), let decisions = rows(.decisions), let interactions = rows(.interactions)
        else { return nil }
        return ErasureCounts(consents: consents, decisions: decisions, interactions: interactions)
    }

    private func rows(_ count: Count) -> Int? { self.count(count, as: UInt64.self).flatMap(Int.init(exactly:)) }
}
