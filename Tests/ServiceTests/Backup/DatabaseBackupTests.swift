import Consent
import Cryptography
import Foundation
import Identifiers
import Interactions
import SQLiteSpool
import SQLiteStorage
import StorageContracts
import StoragePorts
import Synchronization
import TestSupport
import Testing

@testable import Service

/// Copies of the two databases together.
@Suite struct DatabaseBackupTests {
    private struct Enough: Error {}

    /// Tells when it is copied.
    private final class Source: BackupSource {
        private let guarded = Atomic<Int>(0)
        private let onCopy: @Sendable (Source) -> Void

        init(_ onCopy: @escaping @Sendable (Source) -> Void = { _ in }) { self.onCopy = onCopy }

        var erasures: Int { guarded.load(ordering: .relaxed) }

        func noteErasure() { guarded.add(1, ordering: .relaxed) }

        func copy(into folder: String, checkCancellation: @escaping @Sendable () throws -> Void) async throws {
            try checkCancellation()
            onCopy(self)
        }
    }

    @Test("the spool is copied first, so that what is drained meanwhile is in one of the copies at least")
    func order() async throws {
        let copied = Mutex<[String]>([])
        let spool = Source { _ in copied.withLock { $0.append("spool") } }
        let storage = Source { _ in copied.withLock { $0.append("storage") } }
        try await DatabaseBackup(spool: spool, storage: storage).copy(into: "nowhere") {}
        #expect(copied.withLock { $0 } == ["spool", "storage"])
    }

    @Test("somebody who is erased while any of the copies is made is in no backup")
    func erasedMeanwhile() async throws {
        let quiet = Source()
        let erasing = Source { $0.noteErasure() }
        let erasingInSpool = Source { _ in quiet.noteErasure() }
        for (spool, storage) in [(erasing, quiet), (quiet, erasing), (quiet, erasingInSpool)] {
            await #expect(throws: DatabaseBackup.ErasedMeanwhile.self) {
                try await DatabaseBackup(spool: spool, storage: storage).copy(into: "nowhere") {}
            }
        }
        // What was erased before is in neither file.
        try await DatabaseBackup(spool: quiet, storage: Source()).copy(into: "nowhere") {}
    }

    @Test("an erasure after the copying is found when the copies are checked again")
    func erasedLater() async throws {
        let (spool, storage) = (Source(), Source())
        let requireNobodyErased = try await DatabaseBackup(spool: spool, storage: storage).copy(into: "nowhere") {}
        try requireNobodyErased()
        storage.noteErasure()
        #expect(throws: DatabaseBackup.ErasedMeanwhile.self) { try requireNobodyErased() }
    }

    @Test("copying ends when it is told to")
    func told() async {
        await #expect(throws: Enough.self) {
            try await DatabaseBackup(spool: Source(), storage: Source()).copy(into: "nowhere") { throw Enough() }
        }
    }

    @Test("what waits in the spool is in the copy, under the same id")
    func spooled() async throws {
        let (folder, target) = (try TemporaryFolder(), try TemporaryFolder())
        defer {
            folder.remove()
            target.remove()
        }
        let key = SecretBytes([UInt8](repeating: 7, count: 32))
        let open = { (folder: TemporaryFolder) in
            try await FolderDatabases(in: folder.path, .embedded(erasureKey: key))
        }
        let databases = try await open(folder)
        let recipient = try #require(RecipientReference(rawValue: 7))
        _ = try databases.spool.append([.click(MessageID(TimeOrderedNumber(known: 1 << 50)), recipient)])
        let waiting = try databases.spool.read(after: .start, limit: 10)
        try await DatabaseBackup(spool: databases.spool, storage: databases.backupSource).copy(into: target.path) {}
        #expect(try target.files == ["consentlink.db", "spool.db"])

        let restored = try await open(target)
        let copied = try restored.spool.read(after: .start, limit: 10)
        #expect(copied.occurrences.map(\.id) == waiting.occurrences.map(\.id))
        #expect(copied.occurrences.count == 1)
        try restored.close()
        try databases.close()
        #expect(try folder.files == ["consentlink.db", "spool.db"])
    }
}
