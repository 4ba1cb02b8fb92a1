/// White space that spreadsheets and editors leave around a value. With it, the value would be another recipient.
enum SurroundingWhitespace {
    /// A space, a tab, and the no-break space in UTF-8.
    private static let spaces: [[UInt8]] = [[0x20], [0x09], [0xC2, 0xA0]]

    /// Whether `text` begins or ends with such white space.
    static func surrounds(_ text: some BidirectionalCollection<UInt8>) -> Bool {
        spaces.contains { space in
            text.starts(with: space) || text.suffix(space.count).elementsEqual(space)
        }
    }
}
