/// Decisions that say that their recipient was erased, with no erasure before them.
///
/// They are wrong, but for an organization that is older than its ledger: there, erasures from before have no entry. That it
/// is older may show later than such a decision.
struct WithoutErasure {
    private var first: [DecisionException] = []
    private var count: UInt64 = 0

    mutating func add(_ exception: DecisionException) {
        count += 1
        if first.count < Recomputation.mostExceptions { first.append(exception) }
    }

    /// - Parameter isOlder: whether decisions rest on records that are older than the ledger.
    func added(to made: Recomputation, isOlder: Bool) -> Recomputation {
        var made = made
        if isOlder { made.aboutErased += count } else { made.add(first, outOf: count) }
        return made
    }
}
