import Cryptography
import SQLiteStorage
import StorageContracts
import TestFiles

/// A SQLite storage in a folder of its own, which can be closed and opened again.
struct SQLiteFixture {
    static let erasureKey = SecretBytes([UInt8](repeating: 7, count: 32))

    let folder: TemporaryFolder
    let storage: SQLiteStorage
    let observer: RecordingObserver
    let ports: StorageUnderTest

    /// Opens what is in `folder`, or something new.
    init(_ folder: TemporaryFolder? = nil) throws {
        self.folder = try folder ?? TemporaryFolder()
        observer = RecordingObserver()
        storage = try SQLiteStorage.open(
            folder: self.folder.path, erasureKey: Self.erasureKey, ledgerHost: StorageUnderTest.ledgerHost,
            observer: observer, messageObserver: observer,
            clock: { .noon })
        ports = try StorageUnderTest(
            organizations: storage.organizations, consents: storage.consents, decisions: storage.decisions,
            messages: storage.messages, interactions: storage.interactions, requests: storage.requests,
            retention: storage.retention, ledgers: storage.ledgers, observer: observer)
    }

    /// Closes the file and opens it again.
    func reopened() throws -> SQLiteFixture {
        try storage.close()
        return try SQLiteFixture(folder)
    }
}

/// Runs `body` on a new storage with its two organizations.
func withSQLiteStorage(_ body: @Sendable (StorageUnderTest) async throws -> Void) async throws {
    try await withSQLite { try await body($0.ports) }
}

func withSQLite(_ body: (SQLiteFixture) async throws -> Void) async throws {
    let fixture = try SQLiteFixture()
    defer { fixture.folder.remove() }
    try await fixture.ports.makeOrganizations()
    try await body(fixture)
    try? fixture.storage.close()
}
