import CGumbo

/// A parsed document: the only owner of libgumbo's memory, which it frees once.
///
/// Its elements point into the parsed bytes, so neither may outlive the other. Places in these are those in the source.
struct HTMLDocument: ~Copyable {
    private let arena: HTMLArena
    private let document: UnsafeMutablePointer<GumboNode>?
    private let source: UnsafeBufferPointer<UInt8>

    init(_ source: UnsafeBufferPointer<UInt8>) {
        let arena = HTMLArena()
        let source = Self.parsable(source, in: arena)
        var options = kGumboDefaultOptions
        // Errors are not used, and without a limit there can be one for every byte.
        options.max_errors = 0
        options.userdata = Unmanaged.passUnretained(arena).toOpaque()
        options.allocator = { arena, size in
            guard let arena else { return nil }
            return Unmanaged<HTMLArena>.fromOpaque(arena).takeUnretainedValue().allocate(size)
        }
        options.deallocator = { _, _ in }
        document = source.withMemoryRebound(to: CChar.self) { characters in
            characters.baseAddress.flatMap {
                gumbo_parse_with_options(&options, $0, characters.count)?.pointee.document
            }
        }
        self.arena = arena
        self.source = source
    }

    /// The bytes to parse, as many as there are in `source`.
    ///
    /// libgumbo counts the number of a character reference in 32 bits. One that does not fit becomes any character, or
    /// ends the text or the tag around it. Its digits are replaced by those of a smaller number, which is no character
    /// either.
    private static func parsable(
        _ source: UnsafeBufferPointer<UInt8>, in arena: HTMLArena
    ) -> UnsafeBufferPointer<UInt8> {
        let places = CharacterReferences.numbersBeyondUnicode(in: source)
        guard !places.isEmpty else { return source }
        let bytes = UnsafeMutableBufferPointer(
            start: arena.allocate(source.count).bindMemory(to: UInt8.self, capacity: source.count),
            count: source.count)
        _ = bytes.initialize(from: source)
        for digits in places {
            for place in digits { bytes[place] = UInt8(ascii: digits.upperBound - place > 7 ? "0" : "9") }
        }
        return UnsafeBufferPointer(bytes)
    }

    /// An item for a finder of links.
    enum Item {
        case element(HTMLElement)
        /// A comment, by the place of its text between `<!--` and `-->`.
        case comment(Range<Int>)
    }

    /// Visits elements and comments, except in a `template`, which is not shown. The order is that of the tree, in
    /// which the parser may have moved and duplicated parts of the source.
    borrowing func visit<Failure: Error>(_ visit: (Item) throws(Failure) -> Void) throws(Failure) {
        guard let document else { return }
        var waiting: [(node: UnsafeMutablePointer<GumboNode>, isInNoscript: Bool)] = [(document, false)]
        while let (node, isInNoscript) = waiting.popLast() {
            switch node.pointee.type {
            case GUMBO_NODE_DOCUMENT:
                for child in node.pointee.v.document.children.nodes { waiting.append((child, false)) }
            case GUMBO_NODE_ELEMENT:
                let element = HTMLElement(node.pointee.v.element, isInNoscript: isInNoscript, source: source)
                try visit(.element(element))
                let isInNoscript = isInNoscript || element.tag == GUMBO_TAG_NOSCRIPT
                for child in node.pointee.v.element.children.nodes { waiting.append((child, isInNoscript)) }
            case GUMBO_NODE_COMMENT:
                guard let text = commentText(node.pointee.v.text.original_text), !isInNoscript else { continue }
                try visit(.comment(text))
            default: continue
            }
        }
        withExtendedLifetime(arena) {}
    }

    private borrowing func commentText(_ piece: GumboStringPiece) -> Range<Int>? {
        guard let range = source.markup(of: piece), range.count >= 7, source[range].starts(with: "<!--".utf8),
            source[range].suffix(3).elementsEqual("-->".utf8)
        else { return nil }
        return range.lowerBound + 4..<range.upperBound - 3
    }
}

extension GumboVector {
    fileprivate var nodes: some Sequence<UnsafeMutablePointer<GumboNode>> {
        UnsafeBufferPointer(start: data, count: Int(length)).lazy.compactMap {
            $0?.assumingMemoryBound(to: GumboNode.self)
        }
    }

    var attributes: some Sequence<UnsafeMutablePointer<GumboAttribute>> {
        UnsafeBufferPointer(start: data, count: Int(length)).lazy.compactMap {
            $0?.assumingMemoryBound(to: GumboAttribute.self)
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The place in these bytes of a text that the parser says is part of them; `nil` if it is not.
    func range(of piece: GumboStringPiece) -> Range<Int>? {
        guard let base = baseAddress, let data = piece.data else { return nil }
        let start = UnsafeRawPointer(data) - UnsafeRawPointer(base)
        guard start >= 0, start <= count, piece.length <= count - start else { return nil }
        return start..<start + piece.length
    }

    /// The place of a tag or comment; `nil` if it is not in these bytes. The parser drops `</>`, and says that it is the
    /// beginning of what follows.
    func markup(of piece: GumboStringPiece) -> Range<Int>? {
        guard var range = range(of: piece) else { return nil }
        while self[range].starts(with: "</>".utf8) { range = range.lowerBound + 3..<range.upperBound }
        return range
    }
}
