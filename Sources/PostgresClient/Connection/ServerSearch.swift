import Glibc

/// Connects to all hosts of a location at the same time, and asks each server for its role. Blocks the thread.
struct ServerSearch {
    /// How long to wait for the other hosts once a primary is known. A machine that is lost must not hold up every
    /// connection; one that has answered anything in this time is waited for longer.
    private static let patience = Duration.milliseconds(200)
    /// How long a search may take, for a caller that waits for seconds and for one that waits for longer: name servers
    /// may be slow.
    private static let (shortLimit, longLimit) = (Duration.seconds(3), Duration.seconds(12))
    /// How often it asks whether it is given up.
    private static let interval = Duration.milliseconds(50)
    /// How often it looks for the result of a lookup, at first and later.
    private static let (quickInterval, slowInterval) = (Duration.milliseconds(1), Duration.milliseconds(20))

    private let hosts: [HostSearch]
    private let began: ContinuousClock.Instant
    private let limit: Duration
    private let isGivenUp: () -> Bool

    /// - Parameters:
    ///   - timeout: how long the caller waits for an answer; `nil` for no limit.
    ///   - isGivenUp: asked while it waits; ends the search.
    init(
        _ location: PostgresLocation, password: String?, timeout: Duration?, unless isGivenUp: @escaping () -> Bool
    ) {
        let now = ContinuousClock.now
        let parameters = Self.parameters(location, password)
        hosts = location.hosts.map { HostSearch($0, parameters, at: now) }
        began = now
        limit = timeout.map { $0 <= .seconds(10) } ?? false ? Self.shortLimit : Self.longLimit
        self.isGivenUp = isGivenUp
    }

    private static func parameters(_ location: PostgresLocation, _ password: String?) -> [String: String] {
        var parameters = [
            "application_name": "consentlink", "tcp_user_timeout": "10000", "keepalives_idle": "5",
            "keepalives_interval": "2", "keepalives_count": "3",
        ].merging(location.options) { $1 }
        parameters["client_encoding"] = "UTF8"
        parameters["options"] = PostgresConnection.serverOptions
        if let user = location.user { parameters["user"] = user }
        if let database = location.database ?? location.user { parameters["dbname"] = database }
        if let password { parameters["password"] = password }
        return parameters
    }

    /// The server that takes writes; if several claim to, the one with the newest timeline, because a primary that was
    /// replaced may not know it yet.
    /// - Parameter newest: the newest timeline that is known; a server with an older one is not believed while others
    ///   may answer.
    /// - Returns: a connection that the caller closes.
    /// - Throws: ``PostgresError``
    func primary(knowing newest: Int64) throws(PostgresError) -> FoundServer {
        var firstKnown: ContinuousClock.Instant?
        try wait { now in
            let best = hosts.compactMap { $0.found?.role.timeline }.max()
            guard let best, best >= newest else { return nil }
            firstKnown = firstKnown ?? now
            guard let end = firstKnown.map({ $0 + Self.patience }) else { return nil }
            return hosts.contains { !$0.isDone && $0.hasAnswered } ? nil : end
        }
        let found = hosts.filter { $0.found?.role.timeline != nil }
            .max { ($0.found?.role.timeline ?? 0) < ($1.found?.role.timeline ?? 0) }
        if let server = found?.take() { return server }
        throw hosts.last { $0.found == nil }?.failure ?? PostgresError(.noPrimary)
    }

    /// The servers that answer, by host. The connections are closed.
    func roles() throws(PostgresError) -> [(host: PostgresLocation.Host, role: ServerRole)] {
        try wait { _ in nil }
        return hosts.compactMap { search in search.found.map { (search.host, $0.role) } }
    }

    /// Waits until every host has answered or failed.
    /// - Parameter enough: when to end without those that have not; `nil` for when the time is over.
    private func wait(_ enough: (ContinuousClock.Instant) -> ContinuousClock.Instant?) throws(PostgresError) {
        while true {
            let now = ContinuousClock.now
            for host in hosts where !host.isDone { host.goOn(at: now) }
            let end = min(began + limit, enough(now) ?? began + limit)
            guard now < end, hosts.contains(where: { !$0.isDone }) else { return }
            guard !isGivenUp() else { throw PostgresError(.connectionLost) }
            let changes = hosts.filter { !$0.isDone }.compactMap(\.nextChange) + [end, now + interval(at: now)]
            poll(for: max(.zero, (changes.min() ?? now) - now))
        }
    }

    private func interval(at now: ContinuousClock.Instant) -> Duration {
        guard hosts.contains(where: \.isLookingUp) else { return Self.interval }
        return now - began < Self.interval ? Self.quickInterval : Self.slowInterval
    }

    /// Waits for the sockets, and continues with those that are ready.
    private func poll(for duration: Duration) {
        let attempts = hosts.flatMap(\.attempts).filter(\.isOpen)
        var descriptors = attempts.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
        // Rounded up, so that it does not spin in the last millisecond.
        let milliseconds = Int32(clamping: (duration + .microseconds(999)) / .milliseconds(1))
        guard Glibc.poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else { return }
        for (attempt, descriptor) in zip(attempts, descriptors) where descriptor.revents != 0 {
            attempt.goOn(isReadable: descriptor.revents & Int16(POLLIN) != 0)
        }
    }
}
