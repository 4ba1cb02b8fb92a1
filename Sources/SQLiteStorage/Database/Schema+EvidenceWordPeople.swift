import SQLiteFiles

extension Schema {
    /// Who has a word of evidence, instead of how many records have it.
    static let evidenceWordPeople = """
        DROP TABLE evidence_word_uses;

        -- Recipients who are not erased.
        CREATE TABLE evidence_word_people (
            word      INTEGER NOT NULL,
            recipient INTEGER NOT NULL,
            PRIMARY KEY (word, recipient)
        ) STRICT, WITHOUT ROWID;

        -- Up to which recipient it is noted of records that are older; empty when of all.
        CREATE TABLE evidence_word_filling (
            organization INTEGER NOT NULL,
            recipient    INTEGER NOT NULL
        ) STRICT;
        INSERT INTO evidence_word_filling VALUES (0, 0);
        """
}
