/// A set of recipient references that takes 8 bytes a slot: a revocation list may hold millions, and every click looks
/// one up.
///
/// Open addressing with linear probing. References are random numbers that no client can choose, so their own bits
/// give the slot, and no hash is needed. Zero is no reference and marks a free slot.
struct ReferenceSet {
    /// Recipients may share so many of the first bits (`RecipientReferenceSequence`), which come last in the choice of
    /// the slot: a run of withdrawals would fill one place.
    static let sharedBits: UInt64 = 16

    private(set) var slots: [UInt64]
    private(set) var count = 0

    /// An empty set that takes `capacity` references without growing.
    init(capacity: Int = 0) {
        slots = [UInt64](repeating: 0, count: Self.size(for: capacity))
    }

    /// At three quarters full, the search for a reference that is not in the set passes eight slots.
    private static func size(for capacity: Int) -> Int { max(4, capacity + (capacity + 2) / 3) }

    func contains(_ reference: UInt64) -> Bool {
        slots[slot(of: reference)] == reference
    }

    mutating func insert(_ reference: UInt64) {
        var slot = slot(of: reference)
        guard slots[slot] == 0 else { return }
        if Self.size(for: count + 1) > slots.count {
            grow()
            slot = self.slot(of: reference)
        }
        slots[slot] = reference
        count += 1
    }

    mutating func remove(_ reference: UInt64) {
        var free = slot(of: reference)
        guard slots[free] == reference, reference != 0 else { return }
        slots[free] = 0
        count -= 1
        // References that were probed past the freed slot move up, so that no search ends too early.
        var slot = next(after: free)
        while slots[slot] != 0 {
            if distance(from: home(of: slots[slot]), to: slot) >= distance(from: free, to: slot) {
                slots.swapAt(free, slot)
                free = slot
            }
            slot = next(after: slot)
        }
    }

    /// The slot of a reference, or the free slot where it belongs.
    private func slot(of reference: UInt64) -> Int {
        var slot = home(of: reference)
        while slots[slot] != reference, slots[slot] != 0 { slot = next(after: slot) }
        return slot
    }

    /// The slot at which the search for a reference begins.
    func home(of reference: UInt64) -> Int {
        let ownBitsFirst = reference &<< Self.sharedBits | reference &>> (64 - Self.sharedBits)
        return Int(ownBitsFirst.multipliedFullWidth(by: UInt64(slots.count)).high)
    }

    private func next(after slot: Int) -> Int { slot + 1 == slots.count ? 0 : slot + 1 }

    private func distance(from one: Int, to other: Int) -> Int {
        other >= one ? other - one : other - one + slots.count
    }

    /// By a quarter: a set of a million that grew by half may take 15 MB instead of 11. Each reference is moved some
    /// four times instead of three, which is nothing beside storing the record that it comes from.
    private mutating func grow() {
        var larger = ReferenceSet(capacity: count + count / 4 + 4)
        for reference in slots where reference != 0 { larger.insert(reference) }
        self = larger
    }
}
