/// Matches the entries that came without private fields with the erasures and purges that say they took them.
///
/// The ledger says how many an erasure closed, and not which: that would tie a recipient's entries together. But they
/// were all entered before it. So of the entries before each erasure at least as many must be closed as it and those
/// before it say, and of a whole ledger exactly as many as all of them say.
struct ErasureBalance {
    private struct Count {
        var closed: UInt64 = 0
        /// Closed, and not yet explained by an erasure after them.
        var open: UInt64 = 0
        var recorded: UInt64 = 0

        mutating func close() {
            closed += 1
            open += 1
        }

        /// - Returns: `false` when not as many are closed before it.
        mutating func explain(_ count: UInt64) -> Bool {
            let (sum, overflow) = recorded.addingReportingOverflow(count)
            recorded = overflow ? .max : sum
            guard count <= open else {
                open = 0
                return false
            }
            open -= count
            return true
        }
    }

    private var decisions = Count()
    private var consents = Count()
    private var accesses = Count()
    /// The first erasure that says of more entries than are closed.
    private var firstExcess: AuditFault?

    mutating func closeDecision() { decisions.close() }
    mutating func closeConsent() { consents.close() }
    mutating func closeAccess() { accesses.close() }

    /// An erasure or a purge: so many lost their private fields with it.
    mutating func explain(decisions count: UInt64, consents other: UInt64, by location: EntryLocation) {
        for (isExplained, count, what) in [
            (decisions.explain(count), count, "decisions"), (consents.explain(other), other, "consent records"),
        ] where !isExplained && firstExcess == nil {
            firstExcess = .restoredFields(location, recorded: count, what: what)
        }
    }

    /// So many accesses lost their private fields.
    mutating func explain(accesses count: UInt64, by location: EntryLocation) {
        if !accesses.explain(count), firstExcess == nil {
            firstExcess = .restoredFields(location, recorded: count, what: "accesses")
        }
    }

    func requireExplanations() throws(AuditFault) {
        let counts = [(decisions, "decisions"), (consents, "consent records"), (accesses, "accesses")]
        for (count, what) in counts where count.open > 0 {
            throw .unexplainedErasures(found: count.closed, recorded: count.recorded, what: what)
        }
        if let firstExcess { throw firstExcess }
    }
}
