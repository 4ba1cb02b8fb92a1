/// Which contracts are run on a storage. The tests of each storage take the list from here, so that no contract is run
/// on one of them and missed on another.
package enum StorageContracts {
    /// What every storage promises, whichever engine it has and however its connections fare. Each sentence begins with
    /// the name of its contract.
    ///
    /// The tests of a storage add what it alone promises: that it is copied, that its disk may be full, that several
    /// instances have it open.
    package static let everyStorage: [Promise] = (people + messages + figures + upkeep).flatMap { contract in
        contract.promises.map { Promise("\(contract.name): \($0.testDescription)", $0.check) }
    }

    private typealias Contract = (name: String, promises: [Promise])

    private static let people: [Contract] = [
        ("organizations", OrganizationStoreContract.promises + OrganizationStoreContract.keyUses),
        ("enforcement", EnforcementContract.promises),
        ("consents", ConsentStoreContract.promises),
        ("repeated grants", RepeatedGrantContract.promises),
        ("withdrawals", WithdrawalContract.promises),
        ("consent requests", ConsentRequestContract.promises),
        ("accesses", AccessContract.promises),
        ("answer order", AnswerOrderContract.promises),
        ("recipient identity", RecipientIdentityContract.promises),
        ("consent feed", ConsentFeedContract.promises),
        ("endpoints", EndpointContract.promises),
        ("erasure", ErasureContract.promises),
        ("observers", ObserverContract.promises),
        ("rules", RuleFeedContract.promises),
    ]

    private static let messages: [Contract] = [
        ("decisions", DecisionLogContract.promises),
        ("purposes", PurposesContract.promises),
        ("decision queries", DecisionQueryContract.promises),
        ("messages", MessageStoreContract.promises),
        ("message archive", MessageArchiveContract.promises),
        ("added links", AddedLinksContract.promises),
        ("interaction following", InteractionFollowingContract.promises),
        ("first interactions", FirstInteractionContract.promises),
        ("large batches", LargeBatchContract.promises),
        ("new people", NewPeopleContract.promises),
        ("interactions", InteractionStoreContract.promises),
    ]

    private static let figures: [Contract] = [
        ("reports", ReportStoreContract.promises),
        ("report forgetting", ReportForgettingContract.promises),
        ("campaign reports", CampaignReportContract.promises),
        ("consent reports", ConsentReportContract.promises),
    ]

    private static let upkeep: [Contract] = [
        ("ledger places", LedgerPlacesContract.promises),
        ("retention", RetentionContract.promises),
        ("leases", JobLeaseContract.promises),
        ("sessions", SessionStoreContract.promises),
        ("clock history", ClockHistoryContract.promises),
        ("requests", IdempotencyStoreContract.promises),
        ("ledgers", LedgerContract.promises),
        ("checkpoints", CheckpointStoreContract.promises),
        ("ledger checking", LedgerCheckingContract.promises),
        ("inspection", StorageInspectionContract.promises),
        ("checkpoint replacement", CheckpointReplacementContract.promises),
    ]
}
