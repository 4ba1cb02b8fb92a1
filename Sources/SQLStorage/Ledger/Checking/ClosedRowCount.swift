import Ledger
import Synchronization

/// The number of closed rows that a check has counted so far, over many steps.
final class ClosedRowCount: Sendable {
    /// Guards the counts; held for one addition.
    private let counts = Mutex<[LedgerKind: [Int64: Int64]]>([:])

    func begin(_ kind: LedgerKind) { counts.withLock { $0[kind] = [:] } }

    func add(_ rows: [Int64: Int64], _ kind: LedgerKind) {
        counts.withLock { $0[kind, default: [:]].merge(rows, uniquingKeysWith: +) }
    }

    /// By the numbers of the organizations.
    subscript(kind: LedgerKind) -> [Int64: Int64] { counts.withLock { $0[kind, default: [:]] } }
}
