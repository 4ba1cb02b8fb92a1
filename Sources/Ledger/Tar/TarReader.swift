/// Reads an archive chunk by chunk, and never holds more of it than a header.
struct TarReader {
    enum Part {
        case file(TarHeader)
        /// The next bytes of the last named file.
        case bytes(ArraySlice<UInt8>)
        case endOfFile
        /// The end of the archive; no bytes may follow.
        case end
    }

    typealias Fault = TarError

    private enum State {
        case header([UInt8])
        case file(TarHeader, left: UInt64)
        case padding(left: Int)
        /// The archive ends with two blocks of zeros.
        case zeros(left: Int)
        case ended
    }

    private var state = State.header([])
    private var isAtFirstHeader = true

    /// How files of gzip, Zstandard, xz, bzip2 and ZIP begin.
    private static let compressed: [[UInt8]] = [
        [0x1F, 0x8B], [0x28, 0xB5, 0x2F, 0xFD], [0xFD, 0x37, 0x7A, 0x58, 0x5A], Array("BZh".utf8), [0x50, 0x4B, 3, 4],
    ]

    init() {}

    /// Returns the next part of `chunk` and removes it from `chunk`.
    /// - Returns: `nil` if more bytes are needed.
    mutating func next(_ chunk: inout ArraySlice<UInt8>) throws(Fault) -> Part? {
        while true {
            switch state {
            case .header(var block):
                let missing = chunk.prefix(TarHeader.blockLength - block.count)
                block += missing
                chunk = chunk[missing.endIndex...]
                state = .header(block)
                guard block.count == TarHeader.blockLength else { return nil }
                if block.allSatisfy({ $0 == 0 }) {
                    state = .zeros(left: TarHeader.blockLength)
                } else {
                    guard let header = TarHeader(block[...]) else { throw isCompressed(block) ? .compressed : .header }
                    isAtFirstHeader = false
                    state = .file(header, left: header.size)
                    return .file(header)
                }
            case .file(let header, 0):
                state = .padding(left: TarHeader.padding(after: header.size))
                return .endOfFile
            case .file(let header, let left):
                guard !chunk.isEmpty else { return nil }
                let bytes = chunk.prefix(Int(min(left, UInt64(chunk.count))))
                chunk = chunk[bytes.endIndex...]
                state = .file(header, left: left - UInt64(bytes.count))
                return .bytes(bytes)
            case .padding(0): state = .header([])
            case .padding(let left):
                guard !chunk.isEmpty else { return nil }
                state = .padding(left: left - (try takeZeros(left, &chunk, orElse: .padding)))
            case .zeros(0):
                state = .ended
                return .end
            case .zeros(let left):
                guard !chunk.isEmpty else { return nil }
                state = .zeros(left: left - (try takeZeros(left, &chunk, orElse: .trailingBytes)))
            case .ended:
                guard chunk.isEmpty else { throw .trailingBytes }
                return nil
            }
        }
    }

    /// Must be called at the end of the input.
    func finish() throws(Fault) {
        switch state {
        case .ended: return
        case .header(let block) where isCompressed(block): throw .compressed
        default: throw .cutShort
        }
    }

    private func isCompressed(_ block: [UInt8]) -> Bool {
        isAtFirstHeader && Self.compressed.contains { block.starts(with: $0) }
    }

    private func takeZeros(_ count: Int, _ chunk: inout ArraySlice<UInt8>, orElse fault: Fault) throws(Fault) -> Int {
        let zeros = chunk.prefix(count)
        guard zeros.allSatisfy({ $0 == 0 }) else { throw fault }
        chunk = chunk[zeros.endIndex...]
        return zeros.count
    }
}
