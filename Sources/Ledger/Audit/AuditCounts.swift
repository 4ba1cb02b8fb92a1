/// The number of proved entries of each kind.
package struct AuditCounts: Hashable, Sendable {
    package private(set) var decisions: UInt64 = 0
    package private(set) var consents: UInt64 = 0
    package private(set) var erasures: UInt64 = 0
    package private(set) var enforcements: UInt64 = 0
    package private(set) var purges: UInt64 = 0
    package private(set) var accesses: UInt64 = 0
    package private(set) var accessesForgotten: UInt64 = 0
    package private(set) var others: UInt64 = 0
    /// Entries whose private fields were in the export and match their commitments.
    package private(set) var opened: UInt64 = 0
    /// Decisions without private fields, because the recipient was erased or retention has ended.
    package private(set) var closedDecisions: UInt64 = 0
    package private(set) var closedConsents: UInt64 = 0
    package private(set) var closedAccesses: UInt64 = 0

    package var entries: UInt64 {
        decisions + consents + erasures + enforcements + purges + accesses + accessesForgotten + others
    }

    mutating func count(_ entry: OpenedEntry) {
        switch entry {
        case .decision(_, let fields):
            decisions += 1
            if fields == nil { closedDecisions += 1 } else { opened += 1 }
        case .consent(_, let fields):
            consents += 1
            if fields == nil { closedConsents += 1 } else { opened += 1 }
        case .erasure: erasures += 1
        case .enforcement: enforcements += 1
        case .purge: purges += 1
        case .access(_, let fields):
            accesses += 1
            if fields == nil { closedAccesses += 1 } else { opened += 1 }
        case .accessesForgotten: accessesForgotten += 1
        case .other(let isOpen):
            others += 1
            if isOpen { opened += 1 }
        }
    }
}
