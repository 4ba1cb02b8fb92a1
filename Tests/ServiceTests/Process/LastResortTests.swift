import Logging
import Testing

@testable import Service

/// The end of a process whose orderly end takes too long.
@Suite struct LastResortTests {
    private struct Refused: Error {}

    private let log = CapturedLog()

    /// The exit status; `nil` if the process does not end.
    private func status(
        isAsked: Bool = true, isDone: Bool = false, restart: @escaping @Sendable () throws -> Void = {}
    ) async throws -> Int32? {
        let (statuses, exit) = AsyncStream<Int32>.makeStream()
        let resort = LastResort(after: .milliseconds(50), logger: log.logger) { status in
            exit.yield(status)
            exit.finish()
        }
        resort.begin(isAsked: { isAsked }, restart: restart)
        if isDone {
            resort.cancel()
            try await Task.sleep(for: .milliseconds(200))
            exit.finish()
        }
        return await statuses.first { _ in true }
    }

    @Test("an end that was asked for is an orderly one, with a line in the log")
    func asked() async throws {
        #expect(try await status() == 0)
        #expect(log.lines.map(\.level) == [.error])
        #expect(log.lines.first?.message.contains("nothing that was acknowledged is lost") == true)
    }

    @Test("an end that no signal asked for is a failure")
    func failed() async throws { #expect(try await status(isAsked: false) == 1) }

    @Test("a restart that fails is a failure, and the log says why")
    func refused() async throws {
        #expect(try await status { throw Refused() } == 1)
        #expect(log.lines.last?.metadata["reason"] == "Refused()")
    }

    @Test("an end that is done in time stays what it is")
    func inTime() async throws {
        #expect(try await status(isDone: true) == nil)
        #expect(log.lines.isEmpty)
    }
}
