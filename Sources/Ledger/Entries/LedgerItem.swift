package import Identifiers

/// An entry, its place in the tree, and its opening.
package struct LedgerItem: Equatable, Sendable {
    package enum Subject: Hashable, Sendable {
        case decision(DecisionID)
        case consent(ConsentRecordID)
        case access(AccessID)
        /// An erasure or a change of enforcement, for example: only the entry itself is stored.
        case event
    }

    /// The private fields of an entry, as canonical JSON, and the salt of their commitment.
    package struct Opening: Equatable, Sendable {
        package let salt: Salt
        package let fields: [UInt8]

        package init(salt: Salt, fields: [UInt8]) {
            self.salt = salt
            self.fields = fields
        }
    }

    /// Counted from 0.
    package let leaf: UInt64
    package let subject: Subject
    /// Canonical JSON, from which the leaf's hash is made.
    package let entry: [UInt8]
    /// `nil` for an event, and after the recipient was erased.
    package let opening: Opening?

    package init(leaf: UInt64, subject: Subject, entry: [UInt8], opening: Opening?) {
        self.leaf = leaf
        self.subject = subject
        self.entry = entry
        self.opening = opening
    }
}
