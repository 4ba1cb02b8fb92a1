/// For which purpose a decision was made, in SQL: what it is about says which of its message's purposes that is.
enum DecisionPurpose {
    /// The number of the purpose of a decision `d` about a message `m`.
    static let number = "CASE d.activity WHEN 2 THEN m.opens_purpose ELSE m.purpose END"
}
