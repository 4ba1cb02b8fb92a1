import Consent
import Identifiers
import Pages
import Synchronization
import TrackingIDs

/// Seals and opens receipt tokens for requests that come on any thread.
final class SharedReceiptTokens: Sendable {
    static let prefix = "/receipt/"

    private struct State {
        var sealer: ReceiptTokenSealer
        var version: Int
    }

    private let keys: CurrentKeyRing
    /// Guards the sealer, which is not for two threads at once; held for one token, about a microsecond.
    private let state: Mutex<State>

    init(keys: CurrentKeyRing) throws {
        self.keys = keys
        let version = keys.version
        state = Mutex(State(sealer: try ReceiptTokenSealer(keyRing: keys.value), version: version))
    }

    /// Where the receipt of a record is for ``ReceiptToken/lifetime``: a path on the public origin. To be shown to nobody
    /// but who made the record, in the answer to the request that made it.
    ///
    /// - Returns: `nil` when the clock is beyond what a token can say.
    func path(to record: ConsentRecordID, at now: Timestamp) -> String? {
        guard let token = try? ReceiptToken(record: record, madeAt: now) else { return nil }
        return Self.prefix + using { $0.seal(token) }
    }

    /// For the page that answers a request, the receipts of the records that the request made; of none there is no offer.
    func offer(of records: [ConsentRecord], at now: Timestamp) -> ReceiptOffer {
        ReceiptOffer(
            records.compactMap { record in
                path(to: record.id, at: now).map { ReceiptOffer.Link(path: $0, purpose: record.purpose.description) }
            })
    }

    func open(_ text: some StringProtocol) -> ReceiptTokenOpening {
        let text = String(text)
        return using { $0.open(text) }
    }

    private func using<Result: Sendable>(_ body: (ReceiptTokenSealer) -> Result) -> Result {
        let version = keys.version
        return state.withLock { state in
            if version != state.version, let fresh = try? ReceiptTokenSealer(keyRing: keys.value) {
                state.sealer = fresh
                state.version = version
            }
            return body(state.sealer)
        }
    }
}
