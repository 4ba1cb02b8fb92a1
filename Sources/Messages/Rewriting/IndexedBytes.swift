import ASCII

/// Bytes that are read by their offset from 0: those of a mail's body, or of a test that counts how often each is read.
protocol IndexedBytes: RandomAccessCollection<UInt8> where Index == Int {
    /// The first place of `byte` in `range`; the end of `range` if there is none.
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int

    /// The first place in `range` where the two letters follow each other, in any case; the end of `range` if there is
    /// none. They are given in lower case.
    func firstIndex(of first: UInt8, _ second: UInt8, in range: Range<Int>) -> Int

    /// How often `byte` is in `range`.
    func count(of byte: UInt8, in range: Range<Int>) -> Int
}

extension IndexedBytes {
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int {
        range.first { self[$0] == byte } ?? range.upperBound
    }

    func firstIndex(of first: UInt8, _ second: UInt8, in range: Range<Int>) -> Int {
        range.dropLast().first { self[$0].lowerCased == first && self[$0 + 1].lowerCased == second } ?? range.upperBound
    }

    func count(of byte: UInt8, in range: Range<Int>) -> Int {
        range.reduce(0) { self[$1] == byte ? $0 + 1 : $0 }
    }

    /// Whether `text`, given in lower case, is at `position` in any case.
    func hasWord(_ text: StaticString, at position: Int) -> Bool {
        guard position >= 0, text.utf8CodeUnitCount <= count - position else { return false }
        for offset in 0..<text.utf8CodeUnitCount where self[position + offset].lowerCased != text.utf8Start[offset] {
            return false
        }
        return true
    }

    /// The place of `+notrack` in the URL that begins at `start`: the sender's mark that it must not be tracked. `nil`
    /// if it is not there.
    ///
    /// - Parameter endOfPlus: the end of the plus sign at a place; `nil` if there is none.
    func optOutMarker(at start: Int, endOfPlus: (Int) -> Int?) -> Range<Int>? {
        guard hasWord("http", at: start) else { return nil }
        let place = start + (hasWord("s", at: start + 4) ? 5 : 4)
        guard let end = endOfPlus(place), hasWord("notrack://", at: end) else { return nil }
        return place..<end + "notrack".utf8.count
    }

    /// The next place of `text`, given in lower case, from `start` on, in any case.
    func firstIndex(of text: StaticString, from start: Int) -> Int? {
        let last = count - text.utf8CodeUnitCount
        let first = text.utf8Start.pointee
        var position = start
        while position <= last {
            // A letter may be in either case.
            if !first.isLetter { position = firstIndex(of: first, in: position..<last + 1) }
            if hasWord(text, at: position) { return position }
            position += 1
        }
        return nil
    }

    /// The character that begins at `position`, in bytes that are valid UTF-8.
    func scalar(at position: Int) -> Unicode.Scalar? {
        var bytes = self[position..<Swift.min(position + 4, count)].makeIterator()
        var decoder = UTF8()
        guard case .scalarValue(let scalar) = decoder.decode(&bytes) else { return nil }
        return scalar
    }
}
