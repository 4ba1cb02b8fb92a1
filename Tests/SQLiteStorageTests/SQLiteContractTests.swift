import Consent
import Identifiers
import StorageContracts
import Testing

/// The SQLite storage keeps the promises of every port.
@Suite struct SQLiteContractTests {
    @Test("it keeps what every storage promises", arguments: StorageContracts.everyStorage)
    func everyStorage(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test("a copy of it can be inspected", arguments: StorageInspectionContract.promisesOfCopies)
    func copies(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test("its maintenance keeps what it promises", arguments: StorageMaintenanceContract.promises)
    func maintenance(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test("its backups keep what every source of a backup promises", arguments: BackupSourceContract.promises)
    func backups(_ promise: ContractPromise<BackupSourceUnderTest>) async throws {
        try await withSQLiteStorage { storage in
            try await promise.check(
                BackupSourceUnderTest(
                    source: #require(storage.backup),
                    write: { try await storage.record(.given, for: RecipientID($0)) },
                    erase: { _ = try await storage.consents.erase(RecipientID($0), in: storage.acme) },
                    read: { names, folder in
                        let copy = try storage.openCopy(folder)
                        var found: [String] = []
                        for name in names {
                            let history = try await copy.consents.history(of: RecipientID(name), in: copy.acme)
                            if !history.isEmpty { found.append(name) }
                        }
                        return found
                    }))
        }
    }

    @Test("two services on one file see what each other writes", arguments: TwoInstancesContract.promises)
    func twoInstances(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    /// Beside each other they may read what one of them writes; ledgers have one writer.
    @Test("a writer goes on where the one before ended", arguments: SuccessiveWritersContract.promises)
    func successiveWriters(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }
}
