/// The value in place of a tracking ID for untracked recipients, if a format needs one.
enum UntrackedID {
    /// Every published client of Dynamics 365 reads it as "do not report", or reports it and gets a success.
    static let zero = "00000000-0000-0000-0000-000000000000"

    static func isZero(_ text: Span<UInt8>) -> Bool {
        let zero = zero.utf8Span.span
        guard text.count == zero.count else { return false }
        for index in zero.indices where text[index] != zero[index] { return false }
        return true
    }
}
