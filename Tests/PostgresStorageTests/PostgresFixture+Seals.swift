import SQLStorage

@testable import PostgresStorage

extension PostgresFixture {
    /// An event is entered once more, behind the last entry of the first organization.
    static let appended = """
        INSERT INTO ledger_events (organization, entry)
            SELECT organization, entry FROM ledger_events WHERE organization = 1 ORDER BY number LIMIT 1;
        INSERT INTO ledger_runs SELECT organization, first_leaf + count, 1, 3, (SELECT max(number) FROM ledger_events),
            (SELECT max(number) FROM ledger_events) FROM ledger_runs WHERE organization = 1
            ORDER BY first_leaf DESC LIMIT 1;
        """

    /// Begins the demand for seals if that is possible, as a node does in the background.
    func tryDemand() throws {
        let demand = SealDemand(
            try LedgerSeals(erasureKey: Self.erasureKey), settings, of: Self.tenant,
            SealingKeys(key: Self.erasureKey), tell: { _ in }
        ) {}
        try demand.step()
        demand.close()
    }
}
