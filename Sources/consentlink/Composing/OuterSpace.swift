/// White space that spreadsheets and editors leave around a value, and that would make another recipient of it.
enum OuterSpace {
    /// A space, a tab, and the no-break space in UTF-8.
    private static let spaces: [[UInt8]] = [[0x20], [0x09], [0xC2, 0xA0]]

    /// Whether there is some before or behind what stands in `text`.
    static func stands(around text: some BidirectionalCollection<UInt8>) -> Bool {
        spaces.contains { space in
            text.starts(with: space) || text.suffix(space.count).elementsEqual(space)
        }
    }
}
