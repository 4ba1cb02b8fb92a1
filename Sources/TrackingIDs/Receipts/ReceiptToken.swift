package import Identifiers

/// What a receipt token says to the holder of the key: whoever has it may fetch the receipt of this consent record, until
/// then.
///
/// Its sealed form is specified in `docs/formats/receipt-token.md`.
package struct ReceiptToken: Hashable, Sendable {
    /// For how long a receipt is offered. The token stands in a URL and leads to the name of a person, so it is short.
    package static let lifetime = Duration.seconds(60 * 60)

    package let record: ConsentRecordID
    /// In seconds since 1970, up to 2106-02-07. From that second on the receipt is not given out.
    package let expiresAt: UInt32

    package init(record: ConsentRecordID, expiresAt: UInt32) {
        self.record = record
        self.expiresAt = expiresAt
    }

    /// The token of a record that was made now.
    ///
    /// - Throws: ``TrackingIDError/expiryOutOfRange`` when ``lifetime`` ends before 1970 or after 2106-02-07T06:28:15Z.
    package init(record: ConsentRecordID, madeAt now: Timestamp) throws(TrackingIDError) {
        let seconds = now.advanced(by: Self.lifetime).millisecondsSince1970 / 1000
        guard let expiresAt = UInt32(exactly: seconds) else { throw .expiryOutOfRange }
        self.init(record: record, expiresAt: expiresAt)
    }

    package func hasExpired(at now: Timestamp) -> Bool { now >= Timestamp(secondsSince1970: Int64(expiresAt)) }
}

/// What came of opening a receipt token.
package enum ReceiptTokenOpening: Equatable, Sendable {
    /// Genuine. Whether its time has passed is not looked at.
    case opened(ReceiptToken)
    case refused(TrackingIDRefusal)
}
