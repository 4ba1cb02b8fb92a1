package import Identifiers

/// An entry, where it stands in the tree, and what opens its commitment.
package struct LedgerItem: Equatable, Sendable {
    package enum Subject: Hashable, Sendable {
        case decision(DecisionID)
        case consent(ConsentRecordID)
        case access(AccessID)
        /// An erasure, a change of enforcement: nothing but the entry is stored of it.
        case event
    }

    /// The private fields of an entry, as canonical JSON, and the salt they were committed to under.
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
    /// Canonical JSON: what the leaf's hash is made of.
    package let entry: [UInt8]
    /// `nil` for an event, and for a recipient who was erased since.
    package let opening: Opening?

    package init(leaf: UInt64, subject: Subject, entry: [UInt8], opening: Opening?) {
        self.leaf = leaf
        self.subject = subject
        self.entry = entry
        self.opening = opening
    }
}
