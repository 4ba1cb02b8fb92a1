import Synchronization

/// The location of the database, and what its commits must survive.
package struct PostgresSettings: Sendable {
    package let location: PostgresLocation
    package let durability: Durability
    /// The watch of all connections that are made with these settings.
    package let watch = TimelineWatch()
    /// All connections that are made with these settings.
    package private(set) var connections = ConnectionGroup()
    private let secret: Secret

    /// - Parameters:
    ///   - password: `nil` if the server needs none, or if libpq finds one in its own file.
    ///   - rereading: reads the password again, which may have been changed; `nil` where it cannot be read now.
    package init(
        location: PostgresLocation, password: String?, durability: Durability,
        rereading: @escaping @Sendable () -> String? = { nil }
    ) {
        self.location = location
        self.durability = durability
        secret = Secret(password, rereading: rereading)
    }

    /// The same settings, for connections whose use ends together and apart from that of all others.
    package func withOwnConnections() -> PostgresSettings {
        var own = self
        own.connections = ConnectionGroup()
        return own
    }

    /// The last one that the server took, or that of the start.
    package var password: String? { secret.known.withLock { $0 } }

    /// Another password than ``password``, where there is one by now.
    func changedPassword() -> String? {
        guard let password = secret.rereading(), password != self.password else { return nil }
        return password
    }

    func note(password: String) { secret.known.withLock { $0 = password } }

    private final class Secret: Sendable {
        let known: Mutex<String?>
        let rereading: @Sendable () -> String?

        init(_ password: String?, rereading: @escaping @Sendable () -> String?) {
            known = Mutex(password)
            self.rereading = rereading
        }
    }
}

/// What a commit must survive before it is acknowledged.
package enum Durability: String, CaseIterable, Hashable, Sendable {
    /// The loss of the primary: a synchronous standby has it on disk.
    case quorum
    /// A crash of the server: its own disk has it.
    case local
}
