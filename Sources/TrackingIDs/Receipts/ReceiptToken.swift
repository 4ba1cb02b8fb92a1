package import Identifiers

/// The content of a receipt token, for a holder of the key: any holder of the token may fetch the receipt of this
/// consent record until it expires.
///
/// Its sealed form is specified in `docs/formats/receipt-token.md`.
package struct ReceiptToken: Hashable, Sendable {
    /// How long a receipt is offered. The token is in a URL and leads to the name of a person, so this is short.
    static let lifetime = Duration.hours(1)

    package let record: ConsentRecordID
    /// In seconds since 1970, up to 2106-02-07. From this second on the receipt is refused.
    package let expiresAt: UInt32

    package init(record: ConsentRecordID, expiresAt: UInt32) {
        self.record = record
        self.expiresAt = expiresAt
    }

    /// The token of a record that was made now.
    ///
    /// - Throws: ``TrackingIDError/expiryOutOfRange`` if ``lifetime`` ends before 1970 or after 2106-02-07T06:28:15Z.
    package init(record: ConsentRecordID, madeAt now: Timestamp) throws(TrackingIDError) {
        let seconds = now.advanced(by: Self.lifetime).millisecondsSince1970 / 1000
        guard let expiresAt = UInt32(exactly: seconds) else { throw .expiryOutOfRange }
        self.init(record: record, expiresAt: expiresAt)
    }

    package func hasExpired(at now: Timestamp) -> Bool { now >= Timestamp(secondsSince1970: Int64(expiresAt)) }
}

/// The result of opening a receipt token.
package enum ReceiptTokenOpening: Equatable, Sendable {
    /// Genuine. It does not say whether the token has expired.
    case opened(ReceiptToken)
    case refused(TrackingIDRefusal)
}
