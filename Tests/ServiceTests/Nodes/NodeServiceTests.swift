import Logging
import SQL
import TestSupport
import Testing

@testable import Service

@Suite struct NodeServiceTests {
    private struct FullDisk: Error {}

    @Test("the log says once for each reason why a node cannot follow the database, and again after it could")
    func reasons() async throws {
        let (log, turns) = (CapturedLog(), Note(0))
        let service = NodeService(
            shared: FakeNode(),
            catchUp: {
                turns.value += 1
                switch turns.value {
                case 1, 2, 4, 6: throw Outage()
                case 3: throw FullDisk()
                default: break
                }
            }, spooled: { 0 }, isEnding: { false }, logger: log.logger)
        let running = Task { try await service.run() }
        #expect(await eventually { turns.value > 6 })
        running.cancel()
        try await running.value
        let reasons = log.lines.filter { $0.level == .warning }.compactMap { $0.metadata["error"] }
        #expect(reasons == ["Outage()", "FullDisk()", "Outage()"])
    }

    @Test("at its end a service does not complain of the connections that it closes, and still of other failures")
    func end() async throws {
        let (log, turns) = (CapturedLog(), Note(0))
        let service = NodeService(
            shared: FakeNode(),
            catchUp: {
                turns.value += 1
                if turns.value == 2 { throw FullDisk() }
                throw StorageError.busy
            }, spooled: { 0 }, isEnding: { true }, logger: log.logger)
        let running = Task { try await service.run() }
        #expect(await eventually { turns.value > 3 })
        running.cancel()
        try await running.value
        let reasons = log.lines.filter { $0.level == .warning }.compactMap { $0.metadata["error"] }
        #expect(reasons == ["FullDisk()"])
    }
}
