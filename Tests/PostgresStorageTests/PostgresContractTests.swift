import Consent
import Identifiers
import Organizations
import StorageContracts
import Testing

/// The PostgreSQL storage keeps the promises of every port.
@Suite struct PostgresContractTests {
    @Test(arguments: OrganizationStoreContract.promises + OrganizationStoreContract.keyUses)
    func organizations(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: EnforcementContract.promises)
    func enforcement(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: ConsentStoreContract.promises)
    func consents(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: WithdrawalContract.promises)
    func withdrawals(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: ConsentRequestContract.promises)
    func consentRequests(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: AccessContract.promises)
    func accesses(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: AnswerOrderContract.promises)
    func answerOrder(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: RecipientIdentityContract.promises)
    func recipientIdentity(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: ConsentFeedContract.promises)
    func consentFeed(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: EndpointContract.promises)
    func endpoints(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: ErasureContract.promises)
    func erasure(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: ObserverContract.promises)
    func observers(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: RuleFeedContract.promises)
    func rules(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: DecisionLogContract.promises)
    func decisions(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: PurposesContract.promises)
    func purposes(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: DecisionQueryContract.promises)
    func decisionQueries(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: MessageStoreContract.promises)
    func messages(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: MessageArchiveContract.promises)
    func messageArchive(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: AddedLinksContract.promises)
    func addedLinks(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: InteractionFollowingContract.promises)
    func interactionFollowing(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: FirstInteractionContract.promises)
    func firstInteractions(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: LargeBatchContract.promises)
    func largeBatches(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: InteractionStoreContract.promises)
    func interactions(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: ReportStoreContract.promises)
    func reports(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: ReportForgettingContract.promises)
    func reportForgetting(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: CampaignReportContract.promises)
    func campaignReports(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: ConsentReportContract.promises)
    func consentReports(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: LedgerPlacesContract.promises)
    func ledgerPlaces(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: RetentionContract.promises)
    func retention(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: JobLeaseContract.promises)
    func leases(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: SessionStoreContract.promises)
    func sessions(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: IdempotencyStoreContract.promises)
    func requests(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: LedgerContract.promises)
    func ledgers(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: CheckpointStoreContract.promises)
    func checkpoints(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: LedgerCheckingContract.promises)
    func ledgerChecking(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: StorageInspectionContract.promises)
    func inspection(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: TwoInstancesContract.promises)
    func twoInstances(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: SuccessiveWritersContract.promises)
    func successiveWriters(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: SimultaneousWritersContract.promises)
    func simultaneousWriters(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }

    @Test(arguments: CheckpointReplacementContract.promises)
    func checkpointReplacement(_ promise: Promise) async throws { try await withPostgresStorage(promise.check) }
}
