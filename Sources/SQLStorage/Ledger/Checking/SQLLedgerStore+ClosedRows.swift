import Ledger
import SQL

extension SQLLedgerStore {
    /// One step of comparing closed rows with the entries about them. The position has the kind in place of the
    /// organization; behind the last row the counts are compared.
    func checkClosedRows(from position: LedgerCheckPosition) async throws -> LedgerCheckStep {
        let place = ClosedRowCheck.kinds.firstIndex { Int64($0.rawValue) >= position.organization }
        guard let place else { return LedgerCheckStep(next: position.afterPhase) }
        let kind = ClosedRowCheck.kinds[place]
        func at(_ next: Int64) -> LedgerCheckPosition {
            LedgerCheckPosition(phase: .closings, organization: Int64(kind.rawValue), next: next)
        }
        if position.next == 0 { closedRows.begin(kind) }
        if position.next < .max {
            let step = try await database.readCurrent { db in
                try ClosedRowCheck(kind: kind, db: db).count(after: position.next)
            }
            closedRows.add(step.rows, kind)
            return LedgerCheckStep(next: at(step.last ?? .max))
        }
        // The count lacks what a process before this one counted; then it is too low, which leads to no wrong finding.
        let counted = closedRows[kind]
        let finding = try await database.readCurrent { [ledgers] db in
            try ClosedRowCheck(kind: kind, db: db).finding(in: counted) { ledgers.reason($0) != nil }
        }
        try Task.checkCancellation()
        if let finding {
            close(because: finding)
            // Looks again, for the next organization.
            return LedgerCheckStep(next: position, finding: finding)
        }
        let isLast = place + 1 == ClosedRowCheck.kinds.count
        let following = LedgerCheckPosition(phase: .closings, organization: Int64(kind.rawValue) + 1, next: 0)
        return LedgerCheckStep(next: isLast ? position.afterPhase : following)
    }
}
