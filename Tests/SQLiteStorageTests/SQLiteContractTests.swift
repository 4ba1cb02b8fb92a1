import Consent
import Identifiers
import Organizations
import StorageContracts
import Testing

/// The SQLite storage keeps the promises of every port.
@Suite struct SQLiteContractTests {
    @Test(arguments: OrganizationStoreContract.promises + OrganizationStoreContract.keyUses)
    func organizations(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: EnforcementContract.promises)
    func enforcement(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: ConsentStoreContract.promises)
    func consents(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: WithdrawalContract.promises)
    func withdrawals(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: ConsentRequestContract.promises)
    func consentRequests(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: AccessContract.promises)
    func accesses(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: AnswerOrderContract.promises)
    func answerOrder(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: RecipientIdentityContract.promises)
    func recipientIdentity(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: ConsentFeedContract.promises)
    func consentFeed(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: EndpointContract.promises)
    func endpoints(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: ErasureContract.promises)
    func erasure(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: ObserverContract.promises)
    func observers(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: RuleFeedContract.promises)
    func rules(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: DecisionLogContract.promises)
    func decisions(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: PurposesContract.promises)
    func purposes(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: DecisionQueryContract.promises)
    func decisionQueries(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: MessageStoreContract.promises)
    func messages(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: MessageArchiveContract.promises)
    func messageArchive(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: AddedLinksContract.promises)
    func addedLinks(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: InteractionFollowingContract.promises)
    func interactionFollowing(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: FirstInteractionContract.promises)
    func firstInteractions(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: LargeBatchContract.promises)
    func largeBatches(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: InteractionStoreContract.promises)
    func interactions(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: ReportStoreContract.promises)
    func reports(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: ReportForgettingContract.promises)
    func reportForgetting(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: CampaignReportContract.promises)
    func campaignReports(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: ConsentReportContract.promises)
    func consentReports(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: LedgerPlacesContract.promises)
    func ledgerPlaces(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: RetentionContract.promises)
    func retention(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: JobLeaseContract.promises)
    func leases(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: SessionStoreContract.promises)
    func sessions(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: IdempotencyStoreContract.promises)
    func requests(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: LedgerContract.promises)
    func ledgers(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: CheckpointStoreContract.promises)
    func checkpoints(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: LedgerCheckingContract.promises)
    func ledgerChecking(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: StorageInspectionContract.promises)
    func inspection(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: StorageInspectionContract.promisesOfCopies)
    func copies(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: StorageMaintenanceContract.promises)
    func maintenance(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: BackupSourceContract.promises)
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

    @Test(arguments: TwoInstancesContract.promises)
    func twoInstances(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    /// Beside each other they may read what one of them writes; ledgers have one writer.
    @Test(arguments: SuccessiveWritersContract.promises)
    func successiveWriters(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }

    @Test(arguments: CheckpointReplacementContract.promises)
    func checkpointReplacement(_ promise: Promise) async throws { try await withSQLiteStorage(promise.check) }
}
