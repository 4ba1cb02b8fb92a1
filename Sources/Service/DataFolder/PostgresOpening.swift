import Identifiers
import Logging
import Organizations
import PostgresClient
import PostgresStorage
import SQLStorage

/// Opens the storage of a service on a PostgreSQL server, or does without it where the node's mirror allows that.
struct PostgresOpening {
    /// After this a server that does not even answer is taken to be away.
    private static let patienceWithMirror = Duration.milliseconds(400)

    private let settings: PostgresSettings
    private let opening: FolderDatabases.Opening

    init(_ settings: PostgresSettings, _ opening: FolderDatabases.Opening) {
        self.settings = settings
        self.opening = opening
    }

    /// A server that cannot be reached is waited for, unless the mirror has all rules: then readers come first.
    /// - Throws: a `StoreFailure`.
    func storage() async throws -> any OpenStorage {
        try await ServerPatience(longest: opening.patience, logger: opening.logger)() { () -> any OpenStorage in
            do {
                return try await opened()
            } catch let failure as any StoreFailure {
                // A server is silent for a node alone that can do without it.
                let isUnreachable = failure is ServerSilent || PostgresStorage.isUnreachable(failure)
                guard let absent = absent(failure, isUnreachable: isUnreachable) else { throw failure }
                return absent
            }
        }
    }

    private func opened() async throws -> PostgresStorage {
        let findings = try await findings()
        guard opening.isNew || !findings.contains(.noSchema) else { throw EmptiedDatabase() }
        let unsafe = findings.filter(\.isFatal)
        guard unsafe.isEmpty else { throw UnsafeDatabase(unsafe) }
        let outcome = try await PostgresSchema.migrate(settings)
        if outcome.from != outcome.to {
            opening.logger.notice(
                "the schema of the database was made or brought up to date",
                metadata: ["from": "\(outcome.from)", "to": "\(outcome.to)"])
        }
        warnOfStandbys()
        return try await PostgresStorage.open(
            settings, folder: opening.id, isNew: opening.isNew, node: opening.node,
            clusterKey: try opening.clusterKey(), erasureKey: opening.erasureKey, ledgerHost: opening.ledgerHost,
            isReadOnly: opening.isReadOnly, observer: opening.observer, clock: opening.clock,
            timeOfServer: opening.timeOfServer)
    }

    /// Nobody waits for it: a standby that is away needs seconds to be found so.
    private func warnOfStandbys() {
        Task { [settings, logger = opening.logger] in
            for finding in (try? await PostgresCheck.standbyFindings(settings)) ?? [] {
                logger.warning("\(finding.description). \(finding.remedy)")
            }
        }
    }

    private func findings() async throws -> [DatabaseFinding] {
        guard canBeAbsent else { return try await PostgresCheck.findings(settings) }
        // A question that is not answered in time goes on by itself, and its answer is not needed any more.
        let (answers, answer) = AsyncStream.makeStream(of: Result<[DatabaseFinding], any Error>.self)
        let question = Task { [settings] in
            do {
                answer.yield(.success(try await PostgresCheck.findings(settings)))
            } catch {
                answer.yield(.failure(error))
            }
        }
        let alarm = Task {
            try await Task.sleep(for: Self.patienceWithMirror)
            answer.yield(.failure(ServerSilent()))
        }
        defer {
            question.cancel()
            alarm.cancel()
        }
        for await first in answers { return try first.get() }
        throw ServerSilent()
    }

    /// Whether a storage can be used without which the service was started.
    static func isUsable(_ settings: PostgresSettings) async -> Bool {
        guard let findings = try? await PostgresCheck.findings(settings, patience: .seconds(3)) else { return false }
        return !findings.contains(where: \.isFatal)
    }

    private var canBeAbsent: Bool { opening.node?.slot != nil && opening.mirror?.hasRules ?? false }

    private func absent(_ failure: any StoreFailure, isUnreachable: Bool) -> AbsentStorage? {
        guard canBeAbsent, isUnreachable || failure is UnsafeDatabase, let slot = opening.node?.slot,
            let mirror = opening.mirror
        else { return nil }
        opening.logger.error(
            "the database cannot be used; links redirect by the mirror until it can: \(failure.description)")
        return AbsentStorage(
            failure, status: isUnreachable ? .unreachable : .unsafe(failure.description),
            people: RecipientHasher(key: opening.erasureKey), slot: slot, peers: mirror.peers, latest: mirror.notedAt)
    }
}

/// A server has not answered in the time that readers can wait.
private struct ServerSilent: StoreFailure {
    var description: String { "the database does not answer" }
    var isTransient: Bool { true }
}
