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

    static let evidenceWordsByBytes = """
        -- Versions before this one took two spellings of a text, such as two of an é, for one word, and kept one of them
        -- when its last recipient was erased. So the recipients are noted anew, and words that nobody has are forgotten.
        DELETE FROM evidence_word_people;
        DELETE FROM evidence_word_filling;
        INSERT INTO evidence_word_filling VALUES (0, 0);
        """
}
