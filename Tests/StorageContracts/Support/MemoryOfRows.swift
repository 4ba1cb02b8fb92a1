package import SQL
import SQLStorage
package import TestSupport

/// Remembers which rows were written, and tells of them when they are committed.
package final class MemoryOfRows: TransactionParticipant {
    private let committed: Notes<Int64>
    private var rows: [Int64] = []

    package init(_ committed: Notes<Int64>) { self.committed = committed }

    package func add(_ row: Int64) { rows.append(row) }

    package var savepoint: Int { rows.count }

    package func undo(to savepoint: Int) { rows.removeSubrange(savepoint...) }

    package func finish(_ db: any SQLConnection) {}

    package func forget() {}

    package func didCommit() {
        committed.append(contentsOf: rows)
        rows = []
    }
}
