/// The number of entries in a tree, and its root.
package struct TreeHead: Hashable, Sendable {
    /// The number of entries.
    package let size: UInt64
    package let root: TreeHash

    package init(size: UInt64, root: TreeHash) {
        self.size = size
        self.root = root
    }
}
