/// Looks at a tar archive as it arrives, piece by piece: whether it has an end (POSIX, ustar: two blocks of zeros).
struct ArchiveEnd {
    private static let blockLength = 512

    /// In bytes.
    private(set) var size = 0
    /// How many zeros are at the end.
    private var zeros = 0

    var isReached: Bool { size % Self.blockLength == 0 && zeros >= 2 * Self.blockLength }

    mutating func take(_ piece: [UInt8]) {
        size += piece.count
        zeros = piece.lastIndex { $0 != 0 }.map { piece.count - 1 - $0 } ?? zeros + piece.count
    }
}
