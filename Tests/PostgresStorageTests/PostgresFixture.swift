import Cryptography
import Identifiers
import PostgresClient
import PostgresServer
import SQL
import SQLStorage
import StorageContracts
import StoragePorts
import Synchronization
import TestSupport

@testable import PostgresStorage

/// A PostgreSQL storage in a database of its own, which can be closed and opened again.
final class PostgresFixture: Sendable {
    static let erasureKey = SecretBytes([UInt8](repeating: 7, count: 32))
    static let folder: FolderID = {
        var generator = SystemRandomNumberGenerator()
        return FolderID(using: &generator)
    }()
    static let tenant = DatabaseTenant(folder: folder)

    /// A database that has the schema, and belongs to the folder. Others are copies of it.
    private static let template = Task {
        let location = try PostgresServer.shared.makeDatabase()
        let settings = PostgresSettings(location: location, password: nil, durability: .local)
        _ = try await PostgresSchema.migrate(settings)
        try await PostgresSchema.withConnection(settings) { connection in
            try connection.begin()
            try DatabaseOwner.check(tenant, isNew: true, connection)
            try connection.commit()
        }
        return location
    }

    let settings: PostgresSettings
    /// Guards those that are open.
    private let opened = Mutex<[PostgresStorage]>([])

    init() async throws {
        let location = try PostgresServer.shared.makeDatabase(like: await Self.template.value)
        settings = PostgresSettings(location: location, password: nil, durability: .local)
    }

    init(settings: PostgresSettings) { self.settings = settings }

    /// - Parameters:
    ///   - move: as for ``PostgresStorage/open(_:folder:move:isNew:node:seen:clusterKey:erasureKey:seals:tellOfSeals:ledgerHost:isReadOnly:observer:clock:noteTime:willWait:)``.
    ///   - isReadOnly: the same.
    ///   - node: the same.
    ///   - seals: the same.
    ///   - tellOfSeals: the same.
    func open(
        move: DatabaseMove? = nil, isReadOnly: Bool = false, node: NodeIdentity? = nil, seals: SealMemory = .none,
        tellOfSeals: @escaping @Sendable (SealDemandEvent) -> Void = { _ in }
    ) throws -> (PostgresStorage, StorageUnderTest) {
        let observer = RecordingObserver()
        let storage = try openStorage(
            observer, move: move, isReadOnly: isReadOnly, node: node, seals: seals, tellOfSeals: tellOfSeals)
        opened.withLock { $0.append(storage) }
        let stores = storage.stores
        let ports = try StorageUnderTest(
            organizations: stores.organizations, consents: stores.consents, consentRequests: stores.consentRequests,
            accesses: stores.accesses, decisions: stores.decisions, messages: stores.messages,
            interactions: stores.interactions,
            reports: stores.reports, requests: stores.requests, retention: stores.retention, leases: stores.leases,
            sessions: stores.sessions, clockHistory: stores.clockHistory,
            ledgers: stores.ledgers, rules: stores.rules, endpoints: stores.endpoints,
            deliveries: stores.deliveries, upkeep: storage, backup: nil, observer: observer,
            openBeside: { try self.open().1 },
            reopen: {
                try self.close()
                return try self.open().1
            }, openCopy: { _ in throw NoCopies() }, fillDisk: { throw NoCopies() })
        return (storage, ports)
    }

    /// Runs `body` on a new connection, with the storage's view of it, in which statements have no hints for SQLite.
    func withStorage<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection, StorageConnection) throws -> Value
    ) async throws -> Value {
        try await PostgresSchema.withConnection(settings) { connection in
            let keys = SealingKeys(key: Self.erasureKey)
            return try body(connection, StorageConnection(connection, sealer: try keys.sealer()))
        }
    }

    /// Tries again, as the service does, while the server cannot be reached.
    private func openStorage(
        _ observer: RecordingObserver, move: DatabaseMove?, isReadOnly: Bool, node: NodeIdentity?, seals: SealMemory,
        tellOfSeals: @escaping @Sendable (SealDemandEvent) -> Void
    ) throws -> PostgresStorage {
        for _ in 0..<20 {
            do {
                return try PostgresStorage.openNow(
                    settings, folder: Self.folder, move: move, isNew: true, node: node, erasureKey: Self.erasureKey,
                    seals: seals, tellOfSeals: tellOfSeals, ledgerHost: StorageUnderTest.ledgerHost,
                    isReadOnly: isReadOnly, observer: observer, clock: { .noon })
            } catch let failure as any StoreFailure where PostgresStorage.isUnreachable(failure) {
                continue
            }
        }
        throw StorageError.busy
    }

    func close() throws {
        for storage in opened.withLock({ opened in
            defer { opened = [] }
            return opened
        }) {
            try storage.close()
        }
    }

}

/// The database of a server is copied, and its disk filled, by other means than a file.
struct NoCopies: Error {}

/// Runs `body` on a new storage with its two organizations.
func withPostgresStorage(_ body: @Sendable (StorageUnderTest) async throws -> Void) async throws {
    let fixture = try await PostgresFixture()
    let (_, ports) = try fixture.open()
    try await ports.makeOrganizations()
    try await body(ports)
    // The database ends with its server: dropping it takes longer than making it.
    try fixture.close()
}

/// The same through a proxy that cuts connections.
func withPostgresStorage(
    cutting cut: CuttingProxy.Cut, _ body: @Sendable (StorageUnderTest) async throws -> Void
) async throws {
    try await withProxy { proxy, ports in
        proxy.cut(cut)
        try await body(ports)
        proxy.cut(nil)
    }
}

/// Runs `body` on a new storage with its two organizations, behind a proxy that cuts nothing yet.
func withProxy(_ body: (CuttingProxy, StorageUnderTest) async throws -> Void) async throws {
    let fixture = try await PostgresFixture()
    let proxy = try CuttingProxy(to: .shared, database: fixture.settings.location)
    let through = PostgresFixture(
        settings: PostgresSettings(location: proxy.location, password: nil, durability: .local))
    let (_, ports) = try through.open()
    try await ports.makeOrganizations()
    try await body(proxy, ports)
    try through.close()
    proxy.close()
}
