import Consent
import Identifiers
import Messages
import Pages
import TrackingIDs
import UseCases

/// Seals and opens receipt tokens for requests on any thread.
struct SharedReceiptTokens: Sendable {
    private let keys: CurrentKeyRing
    private let sealer: KeyRingDerived<ReceiptTokenSealer>

    init(keys: CurrentKeyRing) throws {
        self.keys = keys
        sealer = try KeyRingDerived(keys) { try ReceiptTokenSealer(keyRing: $0) }
    }

    /// The path on the public origin at which the receipt of a record is for ``ReceiptToken/lifetime``. Only the answer
    /// to the request that made the record may show it.
    ///
    /// - Returns: `nil` if the clock is beyond what a token can express.
    func path(to record: ConsentRecordID, at now: Timestamp) -> String? {
        guard let token = try? ReceiptToken(record: record, madeAt: now) else { return nil }
        return PublicPath.receipt.rawValue + sealer.use { $0.seal(token) }
    }

    /// The receipts of the records that a request made, for the page that answers it; without records there is no
    /// offer.
    func offer(of records: [ConsentRecord], at now: Timestamp) -> ReceiptOffer {
        ReceiptOffer(
            records.compactMap { record in
                path(to: record.id, at: now).map { ReceiptOffer.Link(path: $0, purpose: record.purpose.description) }
            })
    }

    /// - Returns: the token; `nil` if it is not genuine.
    /// - Throws: `SigningKeyMissing` if the token may be genuine and cannot be opened yet.
    func open(_ text: some StringProtocol) throws(SigningKeyMissing) -> ReceiptToken? {
        let text = String(text)
        switch sealer.use({ $0.open(text) }) {
        case .opened(let token): return token
        case .refused(let reason):
            if keys.mayOpenLater(reason) { throw SigningKeyMissing() }
            return nil
        }
    }
}
