/// The location of the database, and what its commits must survive.
package struct PostgresSettings: Sendable {
    package let location: PostgresLocation
    /// `nil` if the server needs none, or if libpq finds one in its own file.
    package let password: String?
    package let durability: Durability
    /// The watch of all connections that are made with these settings.
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
