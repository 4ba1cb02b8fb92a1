import Logging
import ServiceLifecycle
import TestSupport
import Testing

@testable import Service

@Suite struct ServiceNameTests {
    private struct Failing: ServiceLifecycle.Service {
        struct Failure: Error {}

        let key = "sealed-with-this"

        func run() async throws { throw Failure() }
    }

    @Test("what a group logs about a service that fails has its type, and nothing that it contains")
    func log() async throws {
        let log = LogLines()
        var logger = log.logger
        logger.logLevel = .trace
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [.named(Failing())], logger: logger))
        await #expect(throws: Failing.Failure.self) { try await group.run() }
        let text = log.all.joined(separator: "\n")
        #expect(text.contains("Failing"))
        #expect(!text.contains("sealed-with-this"), "\(text)")
    }
}
