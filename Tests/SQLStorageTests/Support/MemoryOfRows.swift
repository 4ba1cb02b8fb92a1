import SQL
import Synchronization

@testable import SQLStorage

/// Remembers which rows were written, and tells of them when they are committed.
final class MemoryOfRows: TransactionParticipant {
    private let committed: Notes
    private var rows: [Int64] = []

    init(_ committed: Notes) { self.committed = committed }

    func add(_ row: Int64) { rows.append(row) }

    var mark: Int { rows.count }

    func undo(to mark: Int) { rows.removeSubrange(mark...) }

    func finish(_ db: any SQLConnection) {}

    func forget() {}

    func didCommit() {
        for row in rows { committed.append(row) }
        rows = []
    }
}

/// Numbers in the order in which they came.
final class Notes: Sendable {
    private let guarded = Mutex<[Int64]>([])

    var all: [Int64] { guarded.withLock { $0 } }
    func append(_ number: Int64) { guarded.withLock { $0.append(number) } }
}
