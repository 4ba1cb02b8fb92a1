import Logging
import StoragePorts

/// A step of work that is repeated anyway, so that a failure of it ends nothing.
struct RepeatedStep {
    /// Says in the log that it failed.
    let failure: String
    let logger: Logger
    private var lastError: String?

    init(failure: String, logger: Logger) {
        self.failure = failure
        self.logger = logger
    }

    /// Runs the step. A store that cannot be asked logs that itself. Any other error is logged, unless it is the same as
    /// the last time.
    ///
    /// - Returns: `nil` if it failed.
    @discardableResult
    mutating func run<Value: Sendable>(_ step: () async throws -> Value) async -> Value? {
        do {
            let value = try await step()
            lastError = nil
            return value
        } catch {
            if !(error is any StoreFailure || error is CancellationError) { log("\(error)") }
            return nil
        }
    }

    private mutating func log(_ error: String) {
        if error != lastError { logger.error("\(failure)", metadata: ["error": "\(error)"]) }
        lastError = error
    }
}
