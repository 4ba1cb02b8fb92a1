import Synchronization

/// Numbers that only grow, side by side. Counting is one atomic addition: no lock, no look-up, no text.
///
/// Whoever counts often has an array of their own, so that no two of them write to the same line of a cache; they are
/// added up when somebody asks.
package final class CounterArray: @unchecked Sendable {
    // Sendable: the block neither moves nor changes until nobody has it any more, and what stands in it is atomic.
    private let cells: UnsafeMutablePointer<Atomic<UInt64>>
    package let count: Int

    /// The line of a cache, and the one that is fetched along with it.
    private static let alignment = 128

    package init(count: Int) {
        self.count = count
        let size = max(count * MemoryLayout<Atomic<UInt64>>.stride, Self.alignment)
        cells = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: Self.alignment)
            .bindMemory(to: Atomic<UInt64>.self, capacity: count)
        for index in 0..<count { (cells + index).initialize(to: Atomic(0)) }
    }

    deinit {
        cells.deinitialize(count: count)
        UnsafeMutableRawPointer(cells).deallocate()
    }

    package func add(_ amount: UInt64 = 1, at index: Int) {
        precondition(index >= 0 && index < count)
        cells[index].wrappingAdd(amount, ordering: .relaxed)
    }

    package subscript(index: Int) -> UInt64 {
        precondition(index >= 0 && index < count)
        return cells[index].load(ordering: .relaxed)
    }

    package var values: [UInt64] { (0..<count).map { self[$0] } }
}
