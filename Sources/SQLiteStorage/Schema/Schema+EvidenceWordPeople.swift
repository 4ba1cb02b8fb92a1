import SQLiteFiles

extension Schema {
    /// The recipients of each word of evidence, instead of the number of records.
    static let evidenceWordPeople = """
        DROP TABLE evidence_word_uses;

        -- Recipients who are not erased.
        CREATE TABLE evidence_word_people (
            word      INTEGER NOT NULL,
            recipient INTEGER NOT NULL,
            PRIMARY KEY (word, recipient)
        ) STRICT, WITHOUT ROWID;

        -- Up to which recipient the older records are noted. Empty when all are noted.
        CREATE TABLE evidence_word_filling (
            organization INTEGER NOT NULL,
            recipient    INTEGER NOT NULL
        ) STRICT;
        INSERT INTO evidence_word_filling VALUES (0, 0);
        """
}
