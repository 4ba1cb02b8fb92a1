import StorageContracts
import Testing

/// The PostgreSQL storage keeps the promises of every port.
@Suite struct PostgresContractTests {
    @Test("it keeps what every storage promises", arguments: StorageContracts.everyStorage)
    func everyStorage(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test("two services on one database see what each other writes", arguments: TwoInstancesContract.promises)
    func twoInstances(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test("a writer goes on where the one before ended", arguments: SuccessiveWritersContract.promises)
    func successiveWriters(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(
        "several writers at a time lose nothing and count nothing twice",
        arguments: SimultaneousWritersContract.promises)
    func simultaneousWriters(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }
}
