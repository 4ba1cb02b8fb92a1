import SQLiteFiles

extension Schema {
    /// Readers follow interactions by the position that each gets when it is stored. An id is made when a click is
    /// spooled: in the order of ids, a late click would be before the place that a reader has reached.
    static let interactionPositions = """
        -- Grows with every stored row. Rows that are older than this column have their id here.
        ALTER TABLE interactions ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
        UPDATE interactions SET position = id;
        DROP INDEX interactions_by_organization;
        DROP INDEX interactions_by_message;
        DROP INDEX interactions_by_recipient;
        CREATE INDEX interactions_by_organization ON interactions (organization, kind, position);
        CREATE INDEX interactions_by_message ON interactions (message, kind, position);
        CREATE INDEX interactions_by_recipient ON interactions (volume, recipient, position);
        """

    /// A spool may drain a click again that was stored before: after a kill it still has the last drained clicks. A
    /// click that retention has deleted meanwhile must not be stored again.
    static let interactionsPurged = """
        -- The greatest id of an interaction that was deleted for its age.
        ALTER TABLE organizations ADD COLUMN interactions_purged INTEGER NOT NULL DEFAULT 0;
        """
}
