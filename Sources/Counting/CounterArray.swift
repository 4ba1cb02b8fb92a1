import Synchronization

/// Adjacent numbers that only grow. Counting is one atomic addition: no lock, no look-up, no text.
///
/// A thread that counts often has an array of its own, so that no two threads write to the same cache line. The arrays
/// are summed when they are read.
package final class CounterArray: @unchecked Sendable {
    // Sendable: the block neither moves nor changes while there is a reference to it, and its cells are atomic.
    private let cells: UnsafeMutablePointer<Atomic<UInt64>>
    let count: Int

    /// The size of a cache line, and of the one that is fetched together with it.
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

    var values: [UInt64] { (0..<count).map { self[$0] } }
}
