/// Bytes that are read by their offset from 0: those of a mail's body, or of a test that counts how often each is read.
protocol IndexedBytes: RandomAccessCollection<UInt8> where Index == Int {}

extension UnsafeBufferPointer: IndexedBytes where Element == UInt8 {}

extension IndexedBytes {
    /// Whether `text`, in lower case, stands at `place` in any case.
    func hasWord(_ text: StaticString, at place: Int) -> Bool {
        guard place >= 0, text.utf8CodeUnitCount <= count - place else { return false }
        for offset in 0..<text.utf8CodeUnitCount where self[place + offset].lowered != text.utf8Start[offset] {
            return false
        }
        return true
    }

    /// Where `text`, in lower case, stands next from `start`, in any case.
    func firstIndex(of text: StaticString, from start: Int) -> Int? {
        let last = count - text.utf8CodeUnitCount
        var place = start
        while place <= last {
            if hasWord(text, at: place) { return place }
            place += 1
        }
        return nil
    }

    /// The character that begins at `place`, in what is UTF-8 all through.
    func scalar(at place: Int) -> Unicode.Scalar? {
        var bytes = self[place..<Swift.min(place + 4, count)].makeIterator()
        var decoder = UTF8()
        guard case .scalarValue(let scalar) = decoder.decode(&bytes) else { return nil }
        return scalar
    }
}

extension UInt8 {
    var lowered: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}
