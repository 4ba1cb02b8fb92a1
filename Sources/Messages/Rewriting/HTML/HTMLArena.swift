/// The memory of one parse, allocated in pieces and freed all at once.
///
/// libgumbo frees a tree node by node, recursively: a mail that is nested deeply enough would overflow the stack. Here
/// nothing is freed before everything is.
final class HTMLArena {
    private static let chunkSize = 256 << 10
    private static let alignment = 16

    private var chunks: [UnsafeMutableRawPointer] = []
    private var next: UnsafeMutableRawPointer?
    private var remaining = 0

    init() {}

    deinit {
        for chunk in chunks { chunk.deallocate() }
    }

    func allocate(_ size: Int) -> UnsafeMutableRawPointer {
        let rounded = max(size, 1) + (Self.alignment - 1) & ~(Self.alignment - 1)
        guard rounded <= Self.chunkSize / 4 else { return chunk(of: rounded) }
        if rounded > remaining || next == nil {
            next = chunk(of: Self.chunkSize)
            remaining = Self.chunkSize
        }
        guard let memory = next else { return chunk(of: rounded) }
        next = memory + rounded
        remaining -= rounded
        return memory
    }

    private func chunk(of size: Int) -> UnsafeMutableRawPointer {
        let chunk = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: Self.alignment)
        chunks.append(chunk)
        return chunk
    }
}
