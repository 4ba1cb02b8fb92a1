package import Identifiers

/// The grants are for more purposes than an organization may have, so nothing was stored.
package struct TooManyPurposes: Error, Hashable, CustomStringConvertible {
    /// The number of purposes with consent records from which on an organization cannot record grants for a new purpose.
    /// Grants for its purposes, records that end consent and answers of recipients are still stored, so it can have more.
    package static let maximumCount = 1_000

    /// The purposes beyond the limit.
    package let purposes: Set<Purpose>

    package init(_ purposes: Set<Purpose>) { self.purposes = purposes }

    package var description: String {
        """
        the organization has consent records for \(Self.maximumCount) purposes, as many as it may have: name one of \
        them, and nothing that differs from recipient to recipient
        """
    }
}

/// Which of some purposes an organization has consent records for, and the number of all its purposes.
package struct RecordedPurposes: Hashable, Sendable {
    /// Those of the given purposes that have records.
    package let known: Set<Purpose>
    /// The number of purposes with records, as far as they were counted.
    package let count: Int

    package init(known: Set<Purpose>, count: Int) {
        self.known = known
        self.count = count
    }
}
