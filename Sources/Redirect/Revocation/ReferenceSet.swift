/// A set of recipient references that takes 8 bytes a place: millions of people may be on a revocation list, and every
/// click looks one up.
///
/// Open addressing with linear probing. References are random numbers that nobody outside can choose, so their own bits
/// say where they belong, and no hash is needed. Zero, which no reference is, marks a free place.
struct ReferenceSet {
    private var places: [UInt64]
    private(set) var count = 0

    /// An empty set that takes `capacity` references without growing.
    init(capacity: Int = 0) {
        places = [UInt64](repeating: 0, count: Self.size(for: capacity))
    }

    /// Three quarters full, a look at somebody who is not in the set passes eight places.
    private static func size(for capacity: Int) -> Int { max(4, capacity + (capacity + 2) / 3) }

    func contains(_ reference: UInt64) -> Bool {
        places[place(of: reference)] == reference
    }

    mutating func insert(_ reference: UInt64) {
        var place = place(of: reference)
        guard places[place] == 0 else { return }
        if Self.size(for: count + 1) > places.count {
            grow()
            place = self.place(of: reference)
        }
        places[place] = reference
        count += 1
    }

    mutating func remove(_ reference: UInt64) {
        var free = place(of: reference)
        guard places[free] == reference, reference != 0 else { return }
        places[free] = 0
        count -= 1
        // What probed past the freed place moves up, so that no search ends too early.
        var place = next(after: free)
        while places[place] != 0 {
            if distance(from: home(of: places[place]), to: place) >= distance(from: free, to: place) {
                places.swapAt(free, place)
                free = place
            }
            place = next(after: place)
        }
    }

    /// Where a reference is, or the free place where it would be.
    private func place(of reference: UInt64) -> Int {
        var place = home(of: reference)
        while places[place] != reference, places[place] != 0 { place = next(after: place) }
        return place
    }

    private func home(of reference: UInt64) -> Int {
        Int(reference.multipliedFullWidth(by: UInt64(places.count)).high)
    }

    private func next(after place: Int) -> Int { place + 1 == places.count ? 0 : place + 1 }

    private func distance(from one: Int, to other: Int) -> Int {
        other >= one ? other - one : other - one + places.count
    }

    private mutating func grow() {
        var larger = ReferenceSet(capacity: count + count / 2 + 4)
        for reference in places where reference != 0 { larger.insert(reference) }
        self = larger
    }
}
