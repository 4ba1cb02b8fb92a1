import SQLiteFiles

extension Schema {
    static let consentFeed = """
        -- The runs of consent records and events, which are in the consent feed. Runs of decisions are not.
        CREATE INDEX ledger_runs_of_changes ON ledger_runs (organization, first_leaf) WHERE kind <> 1;
        """
}
