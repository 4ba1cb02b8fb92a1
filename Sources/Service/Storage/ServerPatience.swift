import Logging
import PostgresStorage
import StoragePorts

/// How long a start waits for a PostgreSQL server that cannot be reached; it may be starting.
struct ServerPatience: Sendable {
    static let standard = Duration.seconds(30)
    private static let pause = Duration.seconds(1)

    /// Counted from the first attempt.
    let longest: Duration
    /// Logs every attempt that failed, except the last.
    let logger: Logger

    /// Whether an error may only mean that time was short: the work was cancelled, or the storage did not answer in the
    /// time that is left near the end. Clicks stay in the spool for the next start then.
    static func isOfEnd(_ error: any Error) -> Bool {
        error is CancellationError || (error as? any StoreFailure).map(PostgresStorage.isUnreachable) ?? false
    }

    /// Tries until `attempt` succeeds, fails for another reason, or the time is over.
    /// - Throws: what the last attempt threw.
    func callAsFunction<Result>(_ attempt: () async throws -> Result) async throws -> Result {
        let deadline = ContinuousClock.now + longest
        while true {
            do {
                return try await attempt()
            } catch let failure as any StoreFailure {
                guard PostgresStorage.isUnreachable(failure), ContinuousClock.now < deadline else { throw failure }
                logger.warning("the database cannot be used yet: \(failure.description)")
                try await Task.sleep(for: Self.pause)
            }
        }
    }
}
