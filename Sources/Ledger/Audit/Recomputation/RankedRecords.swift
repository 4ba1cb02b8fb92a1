import Consent
import Identifiers

/// The consent records of one recipient and purpose, in the order in which they outrank each other.
///
/// They are in pieces, so that adding a record moves only those of one piece: one recipient may have very many records,
/// in any order.
struct RankedRecords {
    /// In records: a longer piece is cut in two.
    static let maximumPieceSize = 512

    /// The first piece. Nearly every recipient has no other one.
    private var lowest: [ConsentInForce] = []
    /// The other pieces. None is empty, and its records outrank those of the pieces before it.
    private var higher: [[ConsentInForce]] = []

    mutating func add(_ record: ConsentInForce) {
        let piece = higher.prefixCount { record.outranks($0[0]) }
        let upper = piece == 0 ? Self.add(record, to: &lowest) : Self.add(record, to: &higher[piece - 1])
        if !upper.isEmpty { higher.insert(upper, at: piece) }
    }

    /// - Returns: the upper half, which was cut off; empty unless the piece was too long.
    private static func add(_ record: ConsentInForce, to piece: inout [ConsentInForce]) -> [ConsentInForce] {
        piece.insert(record, at: piece.prefixCount { record.outranks($0) })
        guard piece.count > maximumPieceSize else { return [] }
        let upper = Array(piece[(maximumPieceSize / 2)...])
        piece.removeLast(upper.count)
        return upper
    }

    /// The record that is in force at `instant`.
    func inForce(at instant: Timestamp) -> ConsentInForce? {
        let pieces = higher.prefixCount { $0[0].occurredAt <= instant }
        let piece = pieces == 0 ? lowest : higher[pieces - 1]
        let count = piece.prefixCount { $0.occurredAt <= instant }
        return count == 0 ? nil : piece[count - 1]
    }
}

extension Array {
    /// How many elements fit. Those that fit must stand before all others.
    fileprivate func prefixCount(where fits: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if fits(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
