import StorageContracts
import Testing

/// The SQLite storage keeps the promises of every port.
@Suite struct SQLiteContractTests {
    @Test(arguments: OrganizationStoreContract.promises)
    func organizations(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: EnforcementContract.promises)
    func enforcement(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: ConsentStoreContract.promises)
    func consents(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: WithdrawalContract.promises)
    func withdrawals(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: RecipientIdentityContract.promises)
    func recipientIdentity(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: ErasureContract.promises)
    func erasure(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: DecisionLogContract.promises)
    func decisions(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: DecisionQueryContract.promises)
    func decisionQueries(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: MessageStoreContract.promises)
    func messages(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: AddedLinksContract.promises)
    func addedLinks(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: InteractionStoreContract.promises)
    func interactions(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: RetentionContract.promises)
    func retention(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: IdempotencyStoreContract.promises)
    func requests(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: LedgerContract.promises)
    func ledgers(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: CheckpointStoreContract.promises)
    func checkpoints(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: LedgerCheckingContract.promises)
    func ledgerChecking(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: TwoInstancesContract.promises)
    func twoInstances(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    /// Beside each other they may read what one of them writes; ledgers have one writer.
    @Test(arguments: SuccessiveWritersContract.promises)
    func successiveWriters(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: CheckpointReplacementContract.promises)
    func checkpointReplacement(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }
}
