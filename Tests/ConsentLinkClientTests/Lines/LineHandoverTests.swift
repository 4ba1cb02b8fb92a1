import Testing

@testable import ConsentLinkClient

@Suite struct LineHandoverTests {
    private func batch(_ number: Int) -> LineBatch {
        var batch = LineBatch()
        batch.appendLine { $0 += Array("\(number)".utf8) }
        return batch
    }

    private struct Fault: Error {}

    @Test("batches come in order, and after the last comes nothing")
    func order() async throws {
        let handover = LineHandover()
        let sending = Task {
            for number in 0..<100 { try await handover.send(batch(number)) }
            handover.finish()
        }
        var count = 0
        while let next = try await handover.next() {
            #expect(next.bytes == batch(count).bytes)
            count += 1
        }
        #expect(count == 100)
        try await sending.value
        #expect(try await handover.next() == nil)
    }

    @Test("what was sent is read when the reader comes back, and not before")
    func acknowledged() async throws {
        let handover = LineHandover()
        let first = Task { try await handover.send(batch(1)) }
        _ = try await handover.next()
        // Were the sender told by now, it could not be cancelled any more.
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
    }

    @Test("an error comes behind what was sent")
    func failed() async throws {
        let handover = LineHandover()
        let sending = Task {
            try await handover.send(batch(1))
            handover.finish(Fault())
        }
        #expect(try await handover.next()?.count == 1)
        await #expect(throws: Fault.self) { _ = try await handover.next() }
        try await sending.value
        await #expect(throws: CancellationError.self) { try await handover.send(batch(2)) }
    }

    @Test("a reader that is cancelled waits no longer")
    func cancelledReader() async throws {
        let handover = LineHandover()
        let reading = Task { try await handover.next() }
        reading.cancel()
        await #expect(throws: CancellationError.self) { _ = try await reading.value }
    }
}
