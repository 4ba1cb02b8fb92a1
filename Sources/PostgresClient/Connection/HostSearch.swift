import CPostgres

/// The attempts to connect to one host of a location. A host with several addresses is one server: they are tried one
/// after another, each without waiting long for the one before (RFC 8305), and the first server that answers counts.
final class HostSearch {
    private static let timeout = Duration.seconds(2)
    private static let pauseBetweenAddresses = Duration.milliseconds(250)

    let host: PostgresLocation.Host
    private let parameters: [String: String]
    private var lookup: AddressLookup?
    /// Those that were not tried yet; `nil` is the host itself.
    private var addresses: [String?] = []
    private var nextStart: ContinuousClock.Instant
    private(set) var attempts: [ConnectionAttempt] = []
    private var failures: [PostgresError] = []
    private(set) var found: FoundServer?

    /// - Parameter parameters: libpq's parameters for all hosts.
    init(_ host: PostgresLocation.Host, _ parameters: [String: String], at now: ContinuousClock.Instant) {
        self.host = host
        self.parameters = parameters
        nextStart = now
        if AddressLookup.isNeeded(for: host.name) {
            lookup = AddressLookup.of(host.name)
        } else {
            addresses = [nil]
        }
    }

    deinit { close() }

    var isLookingUp: Bool { lookup != nil }

    /// Whether it has found a server, or every address has failed.
    var isDone: Bool { found != nil || (lookup == nil && addresses.isEmpty && attempts.isEmpty) }

    /// Whether a server has answered anything.
    var hasAnswered: Bool { attempts.contains(where: \.hasAnswered) }

    /// When ``goOn(at:)`` has something to do although no socket is ready.
    var nextChange: ContinuousClock.Instant? {
        let start = addresses.isEmpty || found != nil ? nil : nextStart
        return (attempts.map(\.deadline) + [start].compactMap(\.self)).min()
    }

    /// Why no server was found.
    var failure: PostgresError {
        let texts = failures.compactMap { failure in
            if case .cannotConnect(let text) = failure.reason { text } else { nil }
        }
        let other = failures.last { if case .cannotConnect = $0.reason { false } else { true } }
        return other ?? PostgresError(.cannotConnect(texts.isEmpty ? late : texts.joined(separator: "; ")))
    }

    private var late: String {
        isLookingUp
            ? "could not translate host name \"\(host.name)\" to address: no name server answers in time"
            : "connection to server \(place) failed: timeout expired"
    }

    private var place: String {
        host.name.hasPrefix("/")
            ? "on socket \"\(host.name)/.s.PGSQL.\(host.port)\"" : "at \"\(host.name)\", port \(host.port)"
    }

    /// Begins the attempts that are due, and ends those that are too late or have ended.
    func goOn(at now: ContinuousClock.Instant) {
        takeAddresses()
        for attempt in attempts where attempt.isOpen && attempt.deadline <= now {
            attempt.fail(PostgresError(.cannotConnect("connection to server \(place) failed: timeout expired")))
        }
        settle()
        while found == nil, !addresses.isEmpty, attempts.isEmpty || nextStart <= now {
            attempts.append(ConnectionAttempt(parameters(for: addresses.removeFirst()), until: now + Self.timeout))
            nextStart = now + Self.pauseBetweenAddresses
            settle()
        }
    }

    private func takeAddresses() {
        switch lookup?.outcome {
        case .addresses(let found)?:
            lookup = nil
            addresses = found
        case .failed(let text)?:
            lookup = nil
            failures.append(PostgresError(.cannotConnect(text)))
        case nil: break
        }
    }

    private func parameters(for address: String?) -> [String: String] {
        var own = parameters
        own["host"] = host.name
        own["port"] = "\(host.port)"
        own["hostaddr"] = address
        return own
    }

    /// Removes the attempts that have ended.
    private func settle() {
        for attempt in attempts {
            switch attempt.stage {
            case .connecting, .asking: break
            case .failed(let error): failures.append(error)
            case .done(let role):
                if found == nil, let connection = attempt.take() { found = FoundServer(connection, role) }
            }
        }
        attempts.removeAll { found != nil || !$0.isOpen }
    }

    /// Takes the connection, which the caller then closes.
    func take() -> FoundServer? {
        defer { found = nil }
        return found
    }

    private func close() { if let found { cl_pg_close(found.connection) } }
}

/// A connection to a server that has told its role.
struct FoundServer {
    let connection: OpaquePointer
    let role: ServerRole

    init(_ connection: OpaquePointer, _ role: ServerRole) {
        self.connection = connection
        self.role = role
    }
}
