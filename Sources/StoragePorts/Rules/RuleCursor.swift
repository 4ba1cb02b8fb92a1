/// A place between two changes of a feed.
package struct RuleCursor: Hashable, Sendable {
    /// The number of changes before it.
    package let position: UInt64
    /// Random. If a storage was restored to an older state, the same positions get other changes, with other marks.
    package let mark: UInt64

    package init(position: UInt64, mark: UInt64) {
        self.position = position
        self.mark = mark
    }
}
