@testable import Messages

/// Bytes that count how often one of them is read.
struct CountedBytes: IndexedBytes {
    final class Counter { var reads = 0 }

    let bytes: [UInt8]
    let counter = Counter()
    var startIndex: Int { 0 }
    var endIndex: Int { bytes.count }

    subscript(place: Int) -> UInt8 {
        counter.reads += 1
        return bytes[place]
    }
}
