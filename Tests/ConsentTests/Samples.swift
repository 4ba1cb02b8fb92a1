import Consent
import Identifiers
import TestSupport
import Testing

extension ConsentInForce {
    static func sample(
        _ state: ConsentState, record: UInt64 = 1, at occurredAt: Timestamp = .noon, until validUntil: Timestamp? = nil
    ) throws -> ConsentInForce {
        ConsentInForce(
            record: try #require(ConsentRecordID(rawValue: record)), state: state, occurredAt: occurredAt,
            validUntil: validUntil)
    }
}
