import Glibc
import Synchronization
import Testing

@testable import PostgresClient

@Suite struct PostgresThreadTests {
    @Test("a thread that the system denies is asked for again, and then does the work")
    func denied() async throws {
        let denials = Mutex(2)
        let thread = PostgresThread { thread, context in
            let isDenied = denials.withLock { left in
                left -= 1
                return left >= 0
            }
            return isDenied ? EAGAIN : pthread_create(&thread, nil, runThread, context)
        }
        #expect(try await thread.run { 7 } == 7)
        #expect(denials.withLock { $0 } == -1)
    }
}
