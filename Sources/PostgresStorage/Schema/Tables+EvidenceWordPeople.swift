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
}
