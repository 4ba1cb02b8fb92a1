/// Holds the rows that decisions are derived from to what the ledgers committed to, a small step at a time.
package protocol LedgerChecking: Sendable {
    /// Checks what comes next after `position`: some hundred rows, in one snapshot. A ledger that does not hold is
    /// closed before this returns. Ledgers that are closed already are passed over.
    func check(from position: LedgerCheckPosition) async throws -> LedgerCheckStep

    /// How many entries all ledgers have together.
    func entryCount() async throws -> UInt64

    /// Where the last check stood, for a process that goes on with it.
    func checkPosition() async throws -> LedgerCheckPosition?

    /// Durable on return.
    func keep(_ position: LedgerCheckPosition?) async throws
}

/// How far a check has come. Everything is checked once between ``start`` and a step without a next position.
package struct LedgerCheckPosition: Hashable, Comparable, Sendable {
    /// In this order: what decides comes first. Each phase passes over all organizations.
    package enum Phase: Int64, CaseIterable, Sendable {
        /// Settings, enforcement and erasures against the entries about them.
        case settings = 1
        /// Consent records against their entries.
        case consents
        case decisions
        case events
        /// Hashes of each level against those below.
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
        /// How many decisions and accesses name nobody, against the entries that account for them.
        case closings

        var next: Phase? { Phase(rawValue: rawValue + 1) }
    }

    /// The last of these is the bits of an unsigned number where a check passes over hashes.
    private var order: (Int64, Int64, UInt64) { (phase.rawValue, organization, UInt64(bitPattern: next)) }

    package static func < (one: Self, other: Self) -> Bool {
        one.order < other.order
    }

    package static let start = LedgerCheckPosition(phase: .settings, organization: 0, next: 0)

    package let phase: Phase
    /// The organization's number in the storage; what is smaller was checked in this phase.
    package let organization: Int64
    /// What follows within the organization; each phase has its own numbers.
    package let next: Int64

    package init(phase: Phase, organization: Int64, next: Int64) {
        self.phase = phase
        self.organization = organization
        self.next = next
    }

    /// Behind the last of the phase.
    package var afterPhase: LedgerCheckPosition? {
        phase.next.map { LedgerCheckPosition(phase: $0, organization: 0, next: 0) }
    }
}

package struct LedgerCheckStep: Sendable {
    /// `nil` when everything was checked.
    package let next: LedgerCheckPosition?
    /// How many rows with an entry were read.
    package let entries: Int
    /// What was found; its ledger is closed.
    package let finding: LedgerInconsistency?

    package init(next: LedgerCheckPosition?, entries: Int = 0, finding: LedgerInconsistency? = nil) {
        self.next = next
        self.entries = entries
        self.finding = finding
    }
}
