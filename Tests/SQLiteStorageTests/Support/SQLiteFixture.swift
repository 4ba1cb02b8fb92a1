import Cryptography
import StorageContracts
import Synchronization
import TestSupport

@testable import SQLStorage
@testable import SQLiteStorage

/// A SQLite storage in a folder of its own, which can be closed and opened again.
struct SQLiteFixture {
    static let erasureKey = SecretBytes([UInt8](repeating: 7, count: 32))

    let folder: TemporaryFolder
    let storage: SQLiteStorage
    let observer: RecordingObserver
    let ports: StorageUnderTest
    private let instances: Instances

    /// Opens what is in `folder`, or something new.
    init(_ folder: TemporaryFolder? = nil) throws {
        let instances = Instances(folder: try folder ?? TemporaryFolder())
        let (storage, ports) = try instances.open()
        self.folder = instances.folder
        self.storage = storage
        self.ports = ports
        observer = ports.observer
        self.instances = instances
    }

    /// Closes the file and opens it again.
    func reopened() throws -> SQLiteFixture {
        try storage.close()
        return try SQLiteFixture(folder)
    }

    /// Closes what is open still.
    func close() { try? instances.close() }
}

/// Every instance of a storage that a test has open.
private final class Instances: Sendable {
    let folder: TemporaryFolder
    /// Guards those that are open.
    private let opened = Mutex<[SQLiteStorage]>([])
    /// Guards those of copies.
    private let copies = Mutex<[Instances]>([])

    init(folder: TemporaryFolder) { self.folder = folder }

    func open() throws -> (SQLiteStorage, StorageUnderTest) {
        let observer = RecordingObserver(obeys: false)
        let storage = try SQLiteStorage.open(
            folder: folder.path, erasureKey: SQLiteFixture.erasureKey, ledgerHost: StorageUnderTest.ledgerHost,
            observer: observer, clock: { .noon })
        opened.withLock { $0.append(storage) }
        let ports = try StorageUnderTest(
            organizations: storage.stores.organizations, consents: storage.stores.consents,
            consentRequests: storage.stores.consentRequests,
            accesses: storage.stores.accesses, decisions: storage.stores.decisions,
            messages: storage.stores.messages, interactions: storage.stores.interactions,
            reports: storage.stores.reports,
            requests: storage.stores.requests,
            retention: storage.stores.retention, leases: storage.stores.leases,
            sessions: storage.stores.sessions, clockHistory: storage.stores.clockHistory,
            ledgers: storage.stores.ledgers,
            rules: storage.stores.rules, endpoints: storage.stores.endpoints, deliveries: storage.stores.deliveries,
            upkeep: storage, backup: storage,
            observer: observer,
            openBeside: { try self.open().1 },
            reopen: {
                try self.close()
                return try self.open().1
            }, openCopy: { try self.openCopy(in: $0) }, fillDisk: { try await self.fillDisk(of: storage) })
        return (storage, ports)
    }

    private func openCopy(in folder: TemporaryFolder) throws -> StorageUnderTest {
        let copy = Instances(folder: folder)
        copies.withLock { $0.append(copy) }
        return try copy.open().1
    }

    private func fillDisk(of storage: SQLiteStorage) async throws -> @Sendable () -> Void {
        // Empties the log, from which nothing could be read otherwise.
        try await storage.database.eraseResiduals()
        let disk = try BrokenDisk(.full, path: folder.path(of: "\(SQLiteStorage.fileName)-wal"))
        return { disk.repair() }
    }

    func close() throws {
        for copy in copies.withLock({ $0 }) { try copy.close() }
        for storage in opened.withLock({ opened in
            defer { opened = [] }
            return opened
        }) {
            try storage.close()
        }
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
    fixture.close()
}
