/// Where the database is, and what its commits must survive.
package struct PostgresSettings: Sendable {
    package let location: PostgresLocation
    /// `nil` where the server asks for none, or libpq finds one in its own file.
    package let password: String?
    package let durability: Durability
    /// Of all connections that are made by these settings.
    package let watch = TimelineWatch()

    package init(location: PostgresLocation, password: String?, durability: Durability) {
        self.location = location
        self.password = password
        self.durability = durability
    }
}

/// What a commit must survive before it is acknowledged.
package enum Durability: String, CaseIterable, Hashable, Sendable {
    /// The loss of the primary: a synchronous standby has it on disk.
    case quorum
    /// A crash of the server: its own disk has it.
    case local
}
