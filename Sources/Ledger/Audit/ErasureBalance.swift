/// Compares the entries without private fields with the erasures and purges that account for them.
///
/// An erasure states how many entries it closed, but not which: that would link a recipient's entries. But all of them
/// are older than the erasure. So before each erasure, at least as many entries must be closed as this and all earlier
/// erasures state, and in a whole ledger exactly as many as all of them state.
struct ErasureBalance {
    private struct Count {
        var closed: UInt64 = 0
        /// Closed entries for which no erasure accounts yet.
        var open: UInt64 = 0
        var recorded: UInt64 = 0

        mutating func close() {
            closed += 1
            open += 1
        }

        /// - Returns: `false` if fewer are closed before it.
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
    /// The first erasure that accounts for more entries than are closed.
    private var firstExcess: AuditFault?

    mutating func closeDecision() { decisions.close() }
    mutating func closeConsent() { consents.close() }
    mutating func closeAccess() { accesses.close() }

    /// An erasure or a purge, with the numbers of entries that lost their private fields.
    mutating func explain(decisions count: UInt64, consents other: UInt64, by location: EntryLocation) {
        for (isExplained, count, what) in [
            (decisions.explain(count), count, "decisions"), (consents.explain(other), other, "consent records"),
        ] where !isExplained && firstExcess == nil {
            firstExcess = .restoredFields(location, recorded: count, what: what)
        }
    }

    /// The number of accesses that lost their private fields.
    mutating func explain(accesses count: UInt64, by location: EntryLocation) {
        if !accesses.explain(count), firstExcess == nil {
            firstExcess = .restoredFields(location, recorded: count, what: "accesses")
        }
    }

    func requireExplanations() throws(AuditFault) {
        let counts = [(decisions, "decisions"), (consents, "consent records"), (accesses, "accesses")]
        for (count, what) in counts where count.open > 0 {
            // Two numbers that do not differ would explain nothing.
            throw count.closed > count.recorded
                ? .unexplainedErasures(found: count.closed, recorded: count.recorded, what: what)
                : .lateErasures(count.open, what: what)
        }
        if let firstExcess { throw firstExcess }
    }
}
