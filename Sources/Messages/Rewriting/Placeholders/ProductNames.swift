/// The places of `consentlink` in a text, in any case.
///
/// It searches for the rarest letter of the name, so that a text without the name costs almost nothing.
struct ProductNames<Source: IndexedBytes> {
    private let source: Source
    private var lower: Int
    private var upper: Int

    init(_ source: Source) {
        self.source = source
        lower = source.firstIndex(of: UInt8(ascii: "k"), in: 0..<source.count)
        upper = source.firstIndex(of: UInt8(ascii: "K"), in: 0..<source.count)
    }

    /// The next place, in the order of the text.
    mutating func next() -> Range<Int>? {
        while true {
            let last = min(lower, upper)
            guard last < source.count else { return nil }
            let rest = last + 1..<source.count
            if last == lower {
                lower = source.firstIndex(of: UInt8(ascii: "k"), in: rest)
            } else {
                upper = source.firstIndex(of: UInt8(ascii: "K"), in: rest)
            }
            let name: StaticString = "consentlink"
            let start = last + 1 - name.utf8CodeUnitCount
            if source.hasWord(name, at: start) { return start..<last + 1 }
        }
    }
}
