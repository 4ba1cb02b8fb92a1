import Identifiers
import Ledger

/// Checks a table in the order of its keys, the rows of all organizations together.
protocol TableCheck {
    /// - Parameters:
    ///   - next: the smallest key to look at.
    ///   - owner: the organization with a number; `nil` for one that need not be looked at.
    func step(from next: Int64, owner: (Int64) throws -> OrganizationID?) throws -> TableOutcome
}

/// The result of one step over a table.
struct TableOutcome {
    /// Where to go on; `nil` at the end of the table.
    var next: Int64?
    var finding: LedgerInconsistency?
}
