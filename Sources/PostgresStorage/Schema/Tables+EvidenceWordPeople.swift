extension Tables {
    /// Who has a word of evidence, instead of how many records have it.
    static let evidenceWordPeople = """
        -- Recipients who are not erased. Nodes of the version before count records, in evidence_word_uses.
        CREATE TABLE evidence_word_people (
            word      bigint NOT NULL,
            recipient bigint NOT NULL,
            PRIMARY KEY (word, recipient)
        );
        -- Up to which recipient it is noted of records that are older; empty when of all.
        CREATE TABLE evidence_word_filling (
            organization bigint NOT NULL,
            recipient    bigint NOT NULL
        );
        INSERT INTO evidence_word_filling VALUES (0, 0);
        """
}
