/// Bytes that are read by their offset from 0: those of a mail's body, or of a test that counts how often each is read.
protocol IndexedBytes: RandomAccessCollection<UInt8> where Index == Int {}

extension UnsafeBufferPointer: IndexedBytes where Element == UInt8 {}

extension IndexedBytes {
    /// Whether `text`, in lower case, stands at `position` in any case.
    func hasWord(_ text: StaticString, at position: Int) -> Bool {
        guard position >= 0, text.utf8CodeUnitCount <= count - position else { return false }
        for offset in 0..<text.utf8CodeUnitCount where self[position + offset].lowered != text.utf8Start[offset] {
            return false
        }
        return true
    }

    /// Where `text`, in lower case, stands next from `start`, in any case.
    func firstIndex(of text: StaticString, from start: Int) -> Int? {
        let last = count - text.utf8CodeUnitCount
        var position = start
        while position <= last {
            if hasWord(text, at: position) { return position }
            position += 1
        }
        return nil
    }

    /// The character that begins at `position`, in what is UTF-8 all through.
    func scalar(at position: Int) -> Unicode.Scalar? {
        var bytes = self[position..<Swift.min(position + 4, count)].makeIterator()
        var decoder = UTF8()
        guard case .scalarValue(let scalar) = decoder.decode(&bytes) else { return nil }
        return scalar
    }
}

extension UInt8 {
    var lowered: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}
