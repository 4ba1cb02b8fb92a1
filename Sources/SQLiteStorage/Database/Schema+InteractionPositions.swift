import SQLiteFiles

extension Schema {
    /// Readers follow interactions by the position that each gets when it is stored. An id is made when a click is
    /// spooled: in the order of ids, a click that waited would stand before the place that a reader has reached.
    static let interactionPositions = """
        -- Grows with every row that is stored; of rows that are older than this column it is the id.
        ALTER TABLE interactions ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
        UPDATE interactions SET position = id;
        DROP INDEX interactions_by_organization;
        DROP INDEX interactions_by_message;
        DROP INDEX interactions_by_recipient;
        CREATE INDEX interactions_by_organization ON interactions (organization, kind, position);
        CREATE INDEX interactions_by_message ON interactions (message, kind, position);
        CREATE INDEX interactions_by_recipient ON interactions (volume, recipient, position);
        """

    /// A spool may bring again what was stored once: after a kill it still has what was drained last. What retention has
    /// deleted meanwhile is not stored anew.
    static let interactionsPurged = """
        -- The greatest id of an interaction that was deleted for its age.
        ALTER TABLE organizations ADD COLUMN interactions_purged INTEGER NOT NULL DEFAULT 0;
        """
}
