import Consent
import Cryptography
import Identifiers
import Organizations
import Testing

@testable import SQLiteStorage

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
            folder: self.folder.path, erasureKey: Self.erasureKey, ledgerHost: "links.example",
            observer: observer, messageObserver: observer,
            clock: { .noon })
        ports = StorageUnderTest(
            organizations: storage.organizations, consents: storage.consents, decisions: storage.decisions,
            messages: storage.messages, interactions: storage.interactions, requests: storage.requests,
            retention: storage.retention, ledgers: storage.ledgers, spool: storage.spool, observer: observer,
            acme: try OrganizationID("acme"), globex: try OrganizationID("globex"))
    }

    func makeOrganizations() async throws {
        for (seed, organization) in [StorageUnderTest.acmeOrganization, StorageUnderTest.globexOrganization]
            .enumerated()
        {
            let key = StorageUnderTest.key(UInt8(seed))
            _ = try await storage.organizations.create(try #require(organization), firstKey: key, at: .noon)
        }
    }

    /// Closes the files and opens them again.
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
    try await fixture.makeOrganizations()
    try await body(fixture)
    try? fixture.storage.close()
}
