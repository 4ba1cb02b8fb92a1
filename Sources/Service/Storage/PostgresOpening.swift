import Identifiers
import Logging
import PostgresClient
import PostgresStorage
import SQL
import SQLStorage
import StoragePorts

/// Opens the storage of a service on a PostgreSQL server, or starts without it if the node's mirror allows that.
struct PostgresOpening {
    /// After this time a server that does not answer at all counts as unavailable.
    private static let timeoutWithMirror = Duration.milliseconds(400)
    /// After this time a server that has answered counts as unable to commit, or as busy with an upgrade.
    private static let commitTimeout = Duration.seconds(2)
    /// The same for a server that answered just before, and took a commit: it is far away, or another one of the
    /// location is lost.
    private static let (expectedTimeout, expectedCommitTimeout) = (Duration.seconds(10), ServerPatience.standard)

    private let settings: PostgresSettings
    private let opening: StorageOpening

    init(_ settings: PostgresSettings, _ opening: StorageOpening) {
        self.settings = settings
        self.opening = opening
    }

    /// Waits for a server that cannot be reached, unless the mirror has all rules: then readers have priority.
    /// - Throws: a `StoreFailure`.
    func storage() async throws -> any OpenStorage {
        try await ServerPatience(longest: opening.timeout, logger: opening.logger)() { () -> any OpenStorage in
            do {
                let storage = canBeAbsent ? try await openedInTime() : try await opened { _ in }
                if let number = storage.databaseNumber { opening.noteDatabase(number) }
                return storage
            } catch let error as any StoreFailure {
                let failure = error as? StorageError == .full ? ServerFull() : error
                guard let unavailable = unavailable(failure) else { throw failure }
                return unavailable
            }
        }
    }

    /// Waits no longer than readers can. An opening that takes longer continues by itself, and its result is dropped.
    /// - Throws: ``ServerSilent``, or what ``opened(waiting:)`` throws.
    private func openedInTime() async throws -> PostgresStorage {
        try await withCheckedThrowingContinuation { continuation in
            let answer = TimedResult(
                continuation, within: opening.isExpected ? Self.expectedTimeout : Self.timeoutWithMirror)
            let work = Task {
                do {
                    let storage = try await opened { answer.wait(upTo: $0) }
                    guard !answer.give(.success(storage)) else { return }
                    await storage.leave()
                    try storage.close()
                } catch {
                    _ = answer.give(.failure(error))
                }
            }
            Task {
                if await answer.expires(with: ServerSilent()) { work.cancel() }
            }
        }
    }

    /// - Parameter waiting: called with how long the next step may take.
    private func opened(waiting: @escaping @Sendable (Duration) -> Void) async throws -> PostgresStorage {
        let findings = try await PostgresCheck.findings(settings)
        guard opening.isNew || !findings.contains(.noSchema) else { throw EmptiedDatabase() }
        let unsafe = findings.filter(\.isFatal)
        guard unsafe.isEmpty else { throw UnsafeDatabase(unsafe) }
        waiting(commitTimeout)
        let outcome = try await PostgresSchema.migrate(settings)
        if outcome.from != outcome.to {
            opening.logger.notice(
                "the schema of the database was made or brought up to date",
                metadata: ["from": "\(outcome.from)", "to": "\(outcome.to)"])
        }
        try Task.checkCancellation()
        warnOfFindings()
        return try await PostgresStorage.open(
            settings, folder: opening.id, move: opening.move, isNew: opening.isNew, node: opening.node,
            seen: opening.mirror?.begin, clusterKey: try opening.clusterKey(), erasureKey: opening.erasureKey,
            seals: opening.seals, tellOfSeals: { [logger = opening.logger] in $0.log(to: logger) },
            ledgerHost: opening.ledgerHost, isReadOnly: opening.isReadOnly, observer: opening.observer,
            clock: opening.clock,
            noteTime: opening.noteTime, willWait: { [commitTimeout] in waiting($0 + commitTimeout) })
    }

    private var commitTimeout: Duration { opening.isExpected ? Self.expectedCommitTimeout : Self.commitTimeout }

    /// Runs in the background: it takes seconds to find that a standby is unavailable.
    private func warnOfFindings() {
        Task { [settings, logger = opening.logger] in
            for finding in (try? await PostgresCheck.numberFindings(settings)) ?? [] {
                logger.error("\(finding.description). \(finding.remedy)")
            }
            let unsafe =
                ((try? await PostgresCheck.rightFindings(settings)) ?? [])
                + ((try? await PostgresCheck.standbyFindings(settings)) ?? [])
            for finding in unsafe {
                logger.warning("\(finding.description). \(finding.remedy)")
            }
        }
    }

    /// Whether a storage can be used now that was unavailable when the service started.
    /// - Returns: `false` at once if the task is cancelled.
    static func isUsable(_ settings: PostgresSettings) async -> Bool {
        let settings = settings.withOwnConnections()
        return await withTaskCancellationHandler {
            (try? await PostgresCheck.takesCommits(settings, timeout: .seconds(3))) ?? false
        } onCancel: {
            settings.connections.end()
        }
    }

    private var canBeAbsent: Bool { opening.node?.slot != nil && opening.mirror?.hasRules ?? false }

    /// - Returns: `nil` if the service cannot start without the server, or if the database has said that it is not this
    ///   node's.
    private func unavailable(_ failure: any StoreFailure) -> UnavailableStorage? {
        guard canBeAbsent, let status = status(failure), let slot = opening.node?.slot, let mirror = opening.mirror
        else { return nil }
        opening.logger.error(
            "the database cannot be used; until it can, links redirect from the mirror: \(failure.description)")
        return UnavailableStorage(
            failure, status: status, hasher: RecipientHasher(key: opening.erasureKey), slot: slot,
            peers: mirror.peers, latest: mirror.notedAt)
    }

    /// The status of a server that is unavailable; `nil` if the failure is about the node or its folder.
    private func status(_ failure: any StoreFailure) -> StorageStatus? {
        switch failure {
        case is ServerSilent: .unreachable
        case is ServerFull, is UnsafeDatabase, is IncompleteDatabase, is MovingDatabase:
            .unusable(failure.description)
        case is PostgresError, is StorageError:
            PostgresStorage.isUnreachable(failure) ? .unreachable : .unusable(failure.description)
        default: nil
        }
    }
}

/// A server has not answered, or not committed, in the time that readers can wait.
private struct ServerSilent: StoreFailure {
    var description: String { "the database does not answer in time, or takes no commit" }
    var isTransient: Bool { true }
}

/// The disk of the database's server is full. `StorageError.full` would say that the service's own disk is.
private struct ServerFull: StoreFailure {
    var description: String { "the disk of the database's server is full" }
    var isTransient: Bool { true }
}
