/// How large a tree is, and the hash that stands for all that is in it.
package struct TreeHead: Hashable, Sendable {
    /// How many entries it has.
    package let size: UInt64
    package let root: TreeHash

    package init(size: UInt64, root: TreeHash) {
        self.size = size
        self.root = root
    }
}
