/// The places of `consentlink` in a text, in any case.
///
/// It searches for the last two letters of the name, which rarely follow each other in other words: a text without the
/// name costs almost nothing.
struct ProductNames<Source: IndexedBytes> {
    private let source: Source
    private var position = 0

    init(_ source: Source) { self.source = source }

    /// The next place, in the order of the text.
    mutating func next() -> Range<Int>? {
        while true {
            let letters = source.firstIndex(of: UInt8(ascii: "n"), UInt8(ascii: "k"), in: position..<source.count)
            guard letters < source.count else { return nil }
            position = letters + 2
            let name: StaticString = "consentlink"
            let start = position - name.utf8CodeUnitCount
            if source.hasWord(name, at: start) { return start..<position }
        }
    }
}
