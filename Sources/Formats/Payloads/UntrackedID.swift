/// What stands in the place of a tracking ID for those who are not tracked, where a format needs something there.
enum UntrackedID {
    /// Every published client of Dynamics 365 takes it for "do not report", or reports it and is told that all is well.
    static let zero = "00000000-0000-0000-0000-000000000000"

    static func isZero(_ text: Span<UInt8>) -> Bool {
        let zero = zero.utf8Span.span
        guard text.count == zero.count else { return false }
        for index in zero.indices where text[index] != zero[index] { return false }
        return true
    }
}
