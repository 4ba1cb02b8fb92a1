import Synchronization

/// The openings of entries whose recipients were erased while an export was made, so that the export shows one moment,
/// that of its checkpoint. They are only in memory, as long as the export.
///
/// A storage adds to it inside the transaction that erases, before the commit: a reader who finds no fields in the
/// storage finds them here.
package final class ErasedOpenings: Sendable {
    /// In bytes. An export fails if more is erased meanwhile.
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

    /// Guards the openings; held for one look-up or one insertion.
    private let state = Mutex(State())

    /// Whether no other node erases, so that this node misses no opening that an erasure takes away.
    package let areOfAllNodes: Bool

    /// - Parameter areOfAllNodes: see the property of that name.
    package init(areOfAllNodes: Bool) { self.areOfAllNodes = areOfAllNodes }

    /// Whether more was erased than is kept. Then the export cannot be completed.
    package var isFull: Bool { state.withLock { $0.isFull } }

    /// - Parameter size: the number of entries in the ledger when the erasure began.
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
