/// Compares the rows that decisions are derived from with the ledgers, in small steps.
package protocol LedgerChecking: Sendable {
    /// Checks what follows `position`: some hundred rows, of at most 16 organizations, in one snapshot. A ledger with a
    /// finding is closed before this returns. Ledgers that are closed already are skipped.
    func check(from position: LedgerCheckPosition) async throws -> LedgerCheckStep

    /// The number of entries of all ledgers together.
    func entryCount() async throws -> UInt64

    /// The number of rows that a check reads, however many entries there are. It counts no table further than `most`, so
    /// that it takes little time for any number of rows.
    func rowCounts(upTo most: UInt64) async throws -> LedgerCheckRows

    /// The position of the last check, from which a new process continues.
    func checkPosition() async throws -> LedgerCheckPosition?

    /// Durable on return.
    func keep(_ position: LedgerCheckPosition?) async throws
}

/// The position of a check. Everything is checked once between ``start`` and a step without a next position.
package struct LedgerCheckPosition: Hashable, Comparable, Sendable {
    /// The order of the phases: rows that decide come first. Each phase covers all organizations.
    package enum Phase: Int64, CaseIterable, Sendable {
        /// Settings, enforcement and erasures against the entries about them.
        case settings = 1
        /// Consent records against their entries.
        case consents
        case decisions
        case events
        /// The hashes of each level against those of the level below.
        case hashes
        /// Rows between those that have an entry.
        case strays
        case messages
        case recipients
        /// The hashes by which recipients are found, and the marks of erased ones.
        case people
        /// Recorded accesses against their entries.
        case accesses
        /// Indexes against their tables.
        case indexes
        /// The number of decisions and accesses without a recipient, against the entries that account for them.
        case closings
        /// Indexes of rows about which there is no entry, such as interactions. No decision is derived from them, and
        /// they may be many more than the entries.
        case withoutEntries

        var next: Phase? { Phase(rawValue: rawValue + 1) }
    }

    /// The last element has the bits of an unsigned number in a phase that covers hashes.
    private var order: (Int64, Int64, UInt64) { (phase.rawValue, organization, UInt64(bitPattern: next)) }

    package static func < (one: Self, other: Self) -> Bool {
        one.order < other.order
    }

    package static let start = LedgerCheckPosition(phase: .settings, organization: 0, next: 0)

    package let phase: Phase
    /// The organization's number in the storage. Smaller numbers are done in this phase.
    package let organization: Int64
    /// The next item of the organization; each phase has its own numbers.
    package let next: Int64

    package init(phase: Phase, organization: Int64, next: Int64) {
        self.phase = phase
        self.organization = organization
        self.next = next
    }

    /// The position after the phase.
    package var afterPhase: LedgerCheckPosition? {
        phase.next.map { LedgerCheckPosition(phase: $0, organization: 0, next: 0) }
    }
}

/// How many rows a check reads.
package struct LedgerCheckRows: Hashable, Sendable {
    /// The number of rows of the longest table that a phase before ``LedgerCheckPosition/Phase/withoutEntries`` reads.
    package let ofOneTable: UInt64
    /// The number of rows of the longest table that this phase reads.
    package let withoutEntries: UInt64

    package init(ofOneTable: UInt64, withoutEntries: UInt64) {
        self.ofOneTable = ofOneTable
        self.withoutEntries = withoutEntries
    }
}

/// The result of one step of a check.
package struct LedgerCheckStep: Sendable {
    /// `nil` if everything was checked.
    package let next: LedgerCheckPosition?
    /// The number of rows with an entry that were read.
    package let entries: Int
    /// The finding, whose ledger is closed.
    package let finding: LedgerInconsistency?

    package init(next: LedgerCheckPosition?, entries: Int = 0, finding: LedgerInconsistency? = nil) {
        self.next = next
        self.entries = entries
        self.finding = finding
    }
}
