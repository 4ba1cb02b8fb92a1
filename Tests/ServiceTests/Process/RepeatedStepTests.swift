import Logging
import SQL
import TestSupport
import Testing

@testable import Service

@Suite struct RepeatedStepTests {
    private struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    private func lines(_ errors: [(any Error)?]) async -> [String] {
        let log = CapturedLog()
        var step = RepeatedStep(failure: "it failed", logger: log.logger)
        for error in errors {
            let value = await step.run { () throws -> Int in
                if let error { throw error }
                return 1
            }
            #expect(value == (error == nil ? 1 : nil))
        }
        return log.lines.map { "\($0.message) \($0.metadata["error"] ?? "")" }
    }

    @Test("an error that no store has logged is logged once, until another one or a success")
    func logged() async {
        let (one, other) = (Fault(description: "one"), Fault(description: "other"))
        #expect(await lines([one, one, other, one, nil, one]).count == 4)
        #expect(await lines([one]) == ["it failed one"])
    }

    @Test("what a store logs itself is not logged again, and neither is an end")
    func unlogged() async {
        #expect(await lines([StorageError.busy, StorageError.full, CancellationError(), nil]).isEmpty)
    }
}
