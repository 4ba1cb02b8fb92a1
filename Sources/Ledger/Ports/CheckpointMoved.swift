/// The stored checkpoint is not the one that the signer knew: another signer has signed meanwhile. Nothing was changed.
package struct CheckpointMoved: Error, Hashable, CustomStringConvertible {
    package init() {}

    package var description: String { "another checkpoint was signed meanwhile" }
}
