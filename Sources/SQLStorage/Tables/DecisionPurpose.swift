/// The purpose of a decision, in SQL: the activity of a decision says which of its message's purposes it is for.
enum DecisionPurpose {
    /// The number of the purpose of a decision `d` about a message `m`.
    static let number = "CASE d.activity WHEN 2 THEN m.opens_purpose ELSE m.purpose END"
}
