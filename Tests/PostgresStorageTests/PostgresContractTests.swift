import StorageContracts
import Testing

/// The PostgreSQL storage keeps the promises of every port.
@Suite struct PostgresContractTests {
    @Test(arguments: StorageContracts.everyStorage)
    func everyStorage(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: TwoInstancesContract.promises)
    func twoInstances(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: SuccessiveWritersContract.promises)
    func successiveWriters(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: SimultaneousWritersContract.promises)
    func simultaneousWriters(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }
}
