/// What feeds are read by.
extension Tables {
    static let feeds = """
        -- The runs of consent records and events, which the consent feed has. Runs of decisions are not in it.
        CREATE INDEX ledger_runs_of_changes ON ledger_runs (organization, first_leaf) WHERE kind <> 1;
        """
}
