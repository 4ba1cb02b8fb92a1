import SQL
import StoragePorts
import Testing

/// A database that failed is never trusted again; one that was full is, as soon as it takes a write.
@Suite struct StorageHealthTests {
    private let health = StorageHealth()
    private let fault = EngineFault(code: "10", text: "disk I/O error")

    @Test("a full disk is told, does not stop writes, and is over with the next commit")
    func full() throws {
        #expect(health.status == .working)
        #expect(health.recordFailure(StorageError.full) as? StorageError == .full)
        #expect(health.status == .full)
        try health.requireWorking()
        health.setWorking()
        #expect(health.status == .working)
    }

    @Test("after a failure nothing is written until a restart, not even when a later write succeeds")
    func failed() {
        _ = health.recordFailure(StorageError.failed(fault))
        #expect(health.status == .failed("disk I/O error (10)"))
        health.setWorking()
        _ = health.recordFailure(StorageError.full)
        _ = health.recordFailure(StorageError.failed(EngineFault(code: "XX001", text: "data corrupted")))
        #expect(health.status == .failed("disk I/O error (10)"), "the first failure is the cause")
        #expect(throws: StorageError.failed(fault)) { try health.requireWorking() }
    }

    @Test("once its files are lost nothing is written until a restart, and the reason is told")
    func lost() {
        health.setFailed("spool.db is gone")
        health.setWorking()
        #expect(health.status == .failed("spool.db is gone (data folder)"))
        #expect(throws: StorageError.self) { try health.requireWorking() }
    }

    @Test("an error of one request leaves the status as it is")
    func harmless() throws {
        for error in [StorageError.busy, .refused(EngineFault(code: "23505", text: "unique violation")), .unreadable] {
            #expect(health.recordFailure(error) as? StorageError == error)
        }
        #expect(health.recordFailure(CancellationError()) is CancellationError)
        #expect(health.status == .working)
        try health.requireWorking()
    }
}
