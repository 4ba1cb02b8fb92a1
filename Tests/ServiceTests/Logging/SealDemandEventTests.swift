import Logging
import StoragePorts
import Testing

@testable import Service

@Suite struct SealDemandEventTests {
    private let log = CapturedLog()

    @Test("the beginning of the demand for seals is information")
    func begun() {
        SealDemandEvent.begun.log(to: log.logger)
        let line = CapturedLog.Line(level: .info, message: "ledgers must have seals from now on", metadata: [:])
        #expect(log.lines == [line])
    }

    @Test("that it was taken off the database is a warning")
    func begunAgain() {
        SealDemandEvent.begunAgain.log(to: log.logger)
        #expect(log.levels == [.warning])
    }

    @Test("that the folder cannot keep it is a warning, which names the right that the role lacks")
    func notKept() throws {
        SealDemandEvent.notKept.log(to: log.logger)
        #expect(log.levels == [.warning])
        #expect(try #require(log.lines.first?.metadata["remedy"]).contains("pg_control_system()"))
    }

    @Test("its delay is a warning, which names the older node or the error")
    func delayed() throws {
        let name = try #require(NodeName("links-2"))
        SealDemandEvent.delayed(by: .olderNode(name)).log(to: log.logger)
        SealDemandEvent.delayed(by: .failure("the disk is full")).log(to: log.logger)
        #expect(log.levels == [.warning, .warning])
        #expect(log.lines.map(\.metadata) == [["node": "links-2"], ["error": "the disk is full"]])
    }
}
