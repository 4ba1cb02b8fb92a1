/// Another checkpoint is kept than the one that a signer knew: somebody else has signed meanwhile. Nothing was changed.
package struct CheckpointMoved: Error, Hashable, CustomStringConvertible {
    package init() {}

    package var description: String { "another checkpoint was signed meanwhile" }
}
