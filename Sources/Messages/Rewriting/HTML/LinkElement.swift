/// An element that a reader may follow, as a parser made it or as its tag is written.
protocol LinkElement {
    /// Where its start tag begins.
    var start: Int { get }
    var isInNoscript: Bool { get }

    /// The attribute of that name in lower case; of several the first.
    func attribute(_ name: StaticString) -> HTMLAttribute?
}
