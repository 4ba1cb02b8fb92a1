package import Identifiers

/// Grants are for more purposes than an organization may have, so nothing was stored.
package struct TooManyPurposes: Error, Hashable, CustomStringConvertible {
    /// For how many purposes an organization has consent records at most. Records that end consent, and answers of
    /// recipients, are stored beyond that, and purposes that have records go on having them.
    package static let maximumCount = 1_000

    /// Those of the purposes that are beyond it.
    package let purposes: Set<Purpose>

    package init(_ purposes: Set<Purpose>) { self.purposes = purposes }

    package var description: String {
        """
        the organization has consent records for \(Self.maximumCount) purposes, as many as it may have: name one of \
        them, and nothing that differs from recipient to recipient
        """
    }
}

/// Which purposes of a question an organization has consent records for, and how many it has in all.
package struct RecordedPurposes: Hashable, Sendable {
    /// Those of the purposes asked about that the organization has records for.
    package let known: Set<Purpose>
    /// How many purposes have records, as far as was counted.
    package let count: Int

    package init(known: Set<Purpose>, count: Int) {
        self.known = known
        self.count = count
    }
}
