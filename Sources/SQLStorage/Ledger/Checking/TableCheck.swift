import Identifiers
import Ledger

/// Checks a table in the order of its keys, the rows of all organizations together.
protocol TableCheck {
    /// - Parameters:
    ///   - next: the smallest key to look at.
    ///   - owner: returns the organization with a number; `nil` for one that need not be checked.
    func step(from next: Int64, owner: (Int64) throws -> OrganizationID?) throws -> TableOutcome
}

/// The result of one step over a table.
struct TableOutcome {
    /// The outcome of a step whose last row has this key.
    static func after(_ key: Int64, finding: LedgerInconsistency? = nil) -> TableOutcome {
        TableOutcome(next: key == .max ? nil : key + 1, finding: finding)
    }

    /// The key to continue at; `nil` at the end of the table.
    var next: Int64?
    var finding: LedgerInconsistency?
}
