extension Tables {
    /// The recipients of each word of evidence, instead of the number of records.
    static let evidenceWordPeople = """
        -- Recipients who are not erased. Nodes of the version before count records, in evidence_word_uses.
        CREATE TABLE evidence_word_people (
            word      bigint NOT NULL,
            recipient bigint NOT NULL,
            PRIMARY KEY (word, recipient)
        );
        -- Up to which recipient the older records are noted. Empty when all are noted.
        CREATE TABLE evidence_word_filling (
            organization bigint NOT NULL,
            recipient    bigint NOT NULL
        );
        INSERT INTO evidence_word_filling VALUES (0, 0);
        """

    static let evidenceWordsByBytes = """
        -- Versions before this one took two spellings of a text, such as two of an é, for one word, and kept one of them
        -- when its last recipient was erased. So the recipients are noted anew, and words that nobody has are forgotten.
        -- The table may be in a publication.
        ALTER TABLE evidence_word_filling REPLICA IDENTITY FULL;
        DELETE FROM evidence_word_people;
        DELETE FROM evidence_word_filling;
        INSERT INTO evidence_word_filling VALUES (0, 0);
        """
}
