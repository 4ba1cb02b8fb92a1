import Identifiers
import Interactions
import SQLiteSpool
import StorageContracts
import Synchronization
import TestSupport
import Testing

/// The spool in a SQLite file keeps the promises of its ports.
@Suite struct SpoolContractTests {
    @Test("it keeps what every spool promises", arguments: ClickSpoolContract.promises)
    func promises(_ promise: SpoolPromise) async throws {
        try await withSpool { try await promise.check($0) }
    }

    @Test("its copies keep what every source of a backup promises", arguments: BackupSourceContract.promises)
    func backups(_ promise: ContractPromise<BackupSourceUnderTest>) async throws {
        let positions = Positions()
        try await withSpool { spool in
            try await promise.check(
                BackupSourceUnderTest(
                    source: spool,
                    write: { positions.note(try spool.append([Self.click(named: $0)]), of: $0) },
                    erase: { name in
                        try spool.remove(through: positions.position(of: name))
                        try spool.eraseResiduals()
                    },
                    read: { names, folder in
                        let copy = try Self.open(folder)
                        let found = try copy.read(after: .start, limit: .max).occurrences.map(\.occurrence.action?.text)
                        try copy.close()
                        return names.filter(found.contains)
                    }))
        }
    }

    /// Where the spool has which name.
    private final class Positions: Sendable {
        private let guarded = Mutex<[String: SpoolPosition]>([:])

        func note(_ position: SpoolPosition, of name: String) { guarded.withLock { $0[name] = position } }

        func position(of name: String) throws -> SpoolPosition { try #require(guarded.withLock { $0[name] }) }
    }

    private static func click(named name: String) throws -> Occurrence {
        Occurrence(
            kind: .pushNotificationClicked, source: .bird, occurredAt: .noon,
            message: MessageID(TimeOrderedNumber(known: 1 << 50)),
            recipient: try #require(RecipientReference(rawValue: 7)), link: .message, visitor: .browserAgent,
            action: ActionIdentifier(name))
    }

    private static func open(_ folder: TemporaryFolder) throws -> SQLiteClickSpool {
        try SQLiteClickSpool(folder: folder.path, slot: .single, drained: nil) { .noon }
    }

    private func withSpool(_ body: (SQLiteClickSpool) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let spool = try Self.open(folder)
            try await body(spool)
            try spool.close()
        }
    }
}
