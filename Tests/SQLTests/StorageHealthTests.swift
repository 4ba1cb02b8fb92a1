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
        #expect(health.note(StorageError.full) as? StorageError == .full)
        #expect(health.status == .full)
        try health.requireWorking()
        health.noteCommit()
        #expect(health.status == .working)
    }

    @Test("after a failure nothing is written until a restart, not even when a later write succeeds")
    func failed() {
        _ = health.note(StorageError.failed(fault))
        #expect(health.status == .failed("disk I/O error (10)"))
        health.noteCommit()
        _ = health.note(StorageError.full)
        _ = health.note(StorageError.failed(EngineFault(code: "XX001", text: "data corrupted")))
        #expect(health.status == .failed("disk I/O error (10)"), "the first failure is the cause")
        #expect(throws: StorageError.failed(fault)) { try health.requireWorking() }
    }

    @Test("once its files are lost nothing is written until a restart, and the reason is told")
    func lost() {
        health.noteLoss("spool.db is gone")
        health.noteCommit()
        #expect(health.status == .failed("spool.db is gone (data folder)"))
        #expect(throws: StorageError.self) { try health.requireWorking() }
    }

    @Test("an error of one request leaves the status as it is")
    func harmless() throws {
        for error in [StorageError.busy, .refused(EngineFault(code: "23505", text: "unique violation")), .unreadable] {
            #expect(health.note(error) as? StorageError == error)
        }
        #expect(health.note(CancellationError()) is CancellationError)
        #expect(health.status == .working)
        try health.requireWorking()
    }
}
