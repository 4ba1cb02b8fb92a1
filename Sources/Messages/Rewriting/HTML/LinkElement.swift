/// An element that a reader may follow, from a parser or from its tag.
protocol LinkElement {
    /// The beginning of its start tag.
    var start: Int { get }
    var isInNoscript: Bool { get }

    /// The attribute of that name in lower case; the first if there are several.
    func attribute(_ name: StaticString) -> HTMLAttribute?
}
