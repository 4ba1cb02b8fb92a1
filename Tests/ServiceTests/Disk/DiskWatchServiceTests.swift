import Identifiers
import Interactions
import LocalFiles
import Logging
import Redirect
import StoragePorts
import Synchronization
import TestSupport
import Testing
import UseCases

@testable import Service

@Suite struct DiskWatchServiceTests {
    /// A storage that is asked whether it has room again, which ends a round.
    private final class Storage: StorageMaintenance {
        let status = StorageStatus.full
        let (rounds, round) = AsyncStream.makeStream(of: Void.self)

        func retryIfFull() async { round.yield() }
    }

    private struct Spool: ClickSpool {
        func append(_: [Occurrence]) throws -> SpoolPosition { .start }
        func read(after position: SpoolPosition, limit _: Int) throws -> SpoolReading {
            SpoolReading(occurrences: [], position: position)
        }
        func park(_: [SpooledOccurrence], at _: SpoolPosition) throws {}
        func parked(after _: SpoolPosition) throws -> SpoolReading? { nil }
        func remove(through _: SpoolPosition) throws {}
        func eraseResiduals() throws {}
        func probe() throws {}
    }

    private let log = CapturedLog()
    private let storage = Storage()
    private let writer = SpoolWriter(spool: Spool(), onCommit: { _ in }, report: { _ in })

    /// Looks once, and ends.
    private func look(
        _ statuses: [StorageStatus], mebibytes: Int = 0, folder: FolderWatch = FolderWatch([]) { _ in }
    ) async {
        let service = DiskWatchService(
            storage: storage, statuses: { statuses }, writer: writer,
            floor: DiskFloor(folder: "/tmp", mebibytes: mebibytes), folder: folder, logger: log.logger)
        let running = Task { await service.run() }
        for await _ in storage.rounds { break }
        running.cancel()
        await running.value
    }

    @Test("a full disk is logged, and only this service asks the storage for room")
    func full() async {
        await look([.working, .full])
        #expect(log.lines.map(\.message) == ["the disk is full: nothing is recorded until there is room"])
        #expect(log.levels == [.error])
    }

    @Test("a fault that an operator must repair is logged with what is to be repaired")
    func fault() async {
        await look([.working, .unusable("the table consents has the trigger silent")])
        #expect(log.lines.map(\.message) == ["nothing is stored until the database is repaired"])
        #expect(log.levels == [.critical])
    }

    @Test("of a disk that has room nothing is told, and clicks are taken")
    func room() async {
        await look([.working, .failed("disk I/O error (10)")])
        #expect(log.lines == [])
        let outcome = await withCheckedContinuation { done in writer.submit([]) { done.resume(returning: $0) } }
        #expect(outcome == .recorded)
    }

    @Test("a folder that is not the one any more that is open is found")
    func folder() async throws {
        let gone = FileStatus.Identity(device: 0, inode: 0)
        let watch = FolderWatch([FolderWatch.File("spool.db", path: "/etc/passwd/none", identity: gone)]) { _ in }
        await look([.working], folder: watch)
        #expect(watch.loss == FolderLoss(file: "spool.db", isReplaced: false))
    }

    @Test("the floor is reached by what is free, of a small disk by a twentieth of it; 0 is no floor")
    func floor() throws {
        #expect(!DiskFloor(folder: "/tmp", mebibytes: 0).isReached)
        #expect(!DiskFloor(folder: "/etc/passwd/none", mebibytes: 1_048_576).isReached, "a disk that cannot be asked")
        let space = try #require(DiskSpace(ofFolder: "/tmp"))
        let isShort = space.free < space.total / 20
        #expect(DiskFloor(folder: "/tmp", mebibytes: 1 << 40).isReached == isShort)
    }

    @Test("a store says why the service is not ready; one that works says nothing")
    func reasons() {
        #expect(StorageStatus.working.reasonNotReady == nil)
        #expect(StorageStatus.full.reasonNotReady == .diskFull)
        let failed = StorageStatus.failed("disk I/O error (10)").reasonNotReady?.description
        #expect(failed == "the store has failed and takes nothing more until a restart: disk I/O error (10)")
    }
}
