import Glibc
import Synchronization
import Testing

@testable import PostgresClient

@Suite struct PostgresThreadTests {
    @Test("a thread that the system denies is asked for again, and then does the work")
    func denied() async throws {
        let denials = Mutex(2)
        let thread = PostgresThread(waitingFor: { thread, context in
            let isDenied = denials.withLock { left in
                left -= 1
                return left >= 0
            }
            return isDenied ? EAGAIN : pthread_create(&thread, nil, runThread, context)
        })
        #expect(try await thread.run { 7 } == 7)
        #expect(denials.withLock { $0 } == -1)
    }

    @Test("a caller that cannot wait for a thread does without one, or gets one that works")
    func short() async throws {
        #expect(PostgresThread(unlessShort: { _, _ in EAGAIN }) == nil)
        let thread = try #require(PostgresThread(unlessShort: PostgresThread.create))
        #expect(try await thread.run { 7 } == 7)
    }
}
