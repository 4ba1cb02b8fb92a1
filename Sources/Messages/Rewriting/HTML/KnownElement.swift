import ASCII

/// The elements that matter when links are searched in the markup.
enum KnownElement: String, CaseIterable {
    case a, applet, area, b, base, big, blockquote, body, br, caption, center, code, col, div, dl, em, embed, font
    case frame, frameset, hr, html, i, iframe, img, input, isindex, li, link, marquee, math, meta, nobr, noembed
    case noframes, noscript, object, ol, p, param, plaintext, s, script, select, small, source, strike, strong, style
    case svg, table, tbody, td, template, textarea, tfoot, th, thead, title, tr, track, tt, u, ul, wbr, xmp

    /// - Parameter name: the place of the name; its first byte is a letter.
    init?(_ name: Range<Int>, in source: UnsafeBufferPointer<UInt8>) {
        let word = Word(name, in: source)
        let letter = Int(source[name.lowerBound].lowerCased - UInt8(ascii: "a"))
        for index in Self.index.starts[letter]..<Self.index.starts[letter + 1]
        where Self.index.words[index] == word {
            self = Self.index.elements[index]
            return
        }
        return nil
    }

    /// A name in lower case, as much of it as distinguishes the known ones from all others.
    private struct Word: Equatable {
        var letters: UInt64 = 0
        var lettersBehind: UInt64 = 0
        let length: Int

        init(_ name: Range<Int>, in source: UnsafeBufferPointer<UInt8>) {
            length = name.count
            letters = source.lowercaseWord(name.prefix(8))
            if length > 8 { lettersBehind = source.lowercaseWord(name.dropFirst(8).prefix(8)) }
        }
    }

    /// All of them by their first letter: those of letter `n` are from `starts[n]` to `starts[n + 1]`.
    private struct Index {
        let elements: [KnownElement]
        let words: [Word]
        let starts: [Int]

        init() {
            let sorted = KnownElement.allCases.sorted { $0.rawValue < $1.rawValue }
            elements = sorted
            words = sorted.map { element in
                Array(element.rawValue.utf8).withUnsafeBufferPointer { Word(0..<$0.count, in: $0) }
            }
            starts = (UInt8(ascii: "a")...UInt8(ascii: "z") + 1).map { letter in
                sorted.firstIndex { element in element.rawValue.utf8.first.map { $0 >= letter } ?? false }
                    ?? sorted.count
            }
        }
    }

    private static let index = Index()
}

extension UnsafeBufferPointer<UInt8> {
    /// The bytes of `range`, at most 8, with letters in lower case. Other bytes may change, but do not become letters.
    fileprivate func lowercaseWord(_ range: Range<Int>) -> UInt64 {
        guard let base = baseAddress, !range.isEmpty else { return 0 }
        let bytes = UnsafeRawPointer(base + range.lowerBound)
        var word: UInt64 = 0
        if range.lowerBound + 8 <= count {
            word = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
            word &= UInt64.max >> UInt64(8 * (8 - range.count))
        } else {
            for position in range.reversed() { word = word << 8 | UInt64(self[position]) }
        }
        return word | 0x2020_2020_2020_2020 >> UInt64(8 * (8 - range.count))
    }
}
