/// A comment that Outlook reads: `<!--[if mso]> … <![endif]-->`.
enum ConditionalComment {
    /// The place of the markup that Outlook reads, in a comment with its text at `range`; `nil` for other comments.
    static func content(_ source: UnsafeBufferPointer<UInt8>, in range: Range<Int>) -> Range<Int>? {
        let comment = UnsafeBufferPointer(rebasing: source[range])
        let beginning = comment.trimmed(0..<comment.count).lowerBound
        guard comment.hasWord("[if", at: beginning), let condition = comment.firstIndex(of: "]>", from: beginning)
        else {
            return nil
        }
        let start = condition + 2
        let end = comment.firstIndex(of: "<![endif]", from: start) ?? comment.count
        guard comment.firstIndex(of: "href", from: start) ?? end < end else { return nil }
        return range.lowerBound + start..<range.lowerBound + end
    }
}
