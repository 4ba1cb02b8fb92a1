import Synchronization

/// What opened the entries of recipients who were erased while an export was being made, so that the export is of one
/// moment: that of its checkpoint. It lives in memory alone, as long as the export.
///
/// A storage adds to it inside the transaction that erases, before the commit: a reader who sees that the fields are
/// gone finds them here.
package final class ErasedOpenings: Sendable {
    /// In bytes. An export during which more is erased fails.
    private static let capacity = 64 << 20

    private struct Erased {
        let opening: LedgerItem.Opening
        /// The size of the ledger before the entry of the erasure.
        let size: UInt64
    }

    private struct State {
        var erased: [UInt64: Erased] = [:]
        var bytes = 0
        var isFull = false
    }

    /// Guards what was erased; held for one look-up or one insertion.
    private let state = Mutex(State())

    package init() {}

    /// Whether more was erased than is kept: then the export cannot be completed.
    package var isFull: Bool { state.withLock { $0.isFull } }

    /// - Parameter size: how many entries the ledger had when the erasure began.
    package func add(_ opening: LedgerItem.Opening, of leaf: UInt64, at size: UInt64) {
        state.withLock { state in
            guard !state.isFull else { return }
            state.bytes += opening.fields.count + 128
            guard state.bytes <= Self.capacity else { return state = State(isFull: true) }
            state.erased[leaf] = Erased(opening: opening, size: size)
        }
    }

    /// The item as it was when the ledger had `size` entries.
    package func restored(_ item: LedgerItem, at size: UInt64) -> LedgerItem {
        guard item.opening == nil, item.subject != .event,
            let erased = state.withLock({ $0.erased[item.leaf] }), erased.size >= size
        else { return item }
        return LedgerItem(leaf: item.leaf, subject: item.subject, entry: item.entry, opening: erased.opening)
    }
}
