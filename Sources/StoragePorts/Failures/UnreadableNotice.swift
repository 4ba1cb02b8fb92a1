package import Identifiers

/// The notice of a consent request is not the one that was stored: its row was changed or damaged.
package struct UnreadableNotice: StoreFailure, Hashable {
    package let organization: OrganizationID
    /// The number of its row.
    package let number: Int64

    package init(_ number: Int64, of organization: OrganizationID) {
        self.number = number
        self.organization = organization
    }

    package var isTransient: Bool { true }

    package var description: String { "notice \(number) of \(organization) is not the one that was stored" }
}
