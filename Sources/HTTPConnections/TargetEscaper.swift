import ASCII
import Glibc
import NIOCore

/// Escapes bytes from 0x80 on in the targets of a connection's requests, because the HTTP decoder refuses them: what a
/// mail program or website adds to a link is not always escaped. All other bytes stay as they are.
///
/// The escaper must know where a request begins, and only the decoder knows where one ends. So the escaper gives at
/// most one line, one body of known length or one chunk at a time: a request ends nowhere else. The decoder reads that
/// before the next one.
///
/// Both must find the same end of a body: which of them reads next depends on it
/// (``RequestDecoder/isBetweenRequests``).
struct TargetEscaper {
    /// What follows the header of a request.
    enum Body {
        case length(Int)
        case chunks
    }

    private enum State {
        case beforeRequest
        case method
        /// The path and query.
        case target
        /// After the target: the rest of the line, the header, and trailers.
        case lines
        case body(rest: Int)
        /// In the line before a chunk. `size` is what its digits say so far.
        case chunkSize(_ size: Int, hasEnded: Bool)
        /// In a chunk and the end of line after it.
        case chunk(rest: Int)
    }

    private var place = State.beforeRequest

    /// The header ends with the line that was moved last. A body follows.
    mutating func begin(_ body: Body) {
        switch body {
        case .length(let length): place = .body(rest: length)
        case .chunks: place = .chunkSize(0, hasEnded: false)
        }
    }

    /// The request ends with what was given last.
    mutating func endRequest() { place = .beforeRequest }

    /// Takes the next bytes of a body, without a copy: the decoder gives them on as they are, and a copy would live as
    /// long as one of them. `nil` outside of bodies. `source` must not be empty.
    mutating func takeBody(from source: inout ByteBuffer) -> ByteBuffer? {
        switch place {
        case .body(let rest) where rest > 0:
            let length = min(rest, source.readableBytes)
            place = .body(rest: rest - length)
            return source.readSlice(length: length)
        case .chunk(let rest):
            let length = min(rest, source.readableBytes)
            place = length == rest ? .chunkSize(0, hasEnded: false) : .chunk(rest: rest - length)
            return source.readSlice(length: length)
        case .chunkSize(let size, let hasEnded): return takeChunkSize(size, hasEnded: hasEnded, from: &source)
        case .beforeRequest, .method, .target, .lines, .body: return nil
        }
    }

    private mutating func takeChunkSize(
        _ size: Int, hasEnded: Bool, from source: inout ByteBuffer
    ) -> ByteBuffer? {
        var (size, hasEnded) = (size, hasEnded)
        let line = source.readSlice(length: source.lineLength)
        for byte in line?.readableBytesView ?? ByteBufferView() where !hasEnded {
            guard let digit = byte.hexDigitValue else {
                hasEnded = true
                continue
            }
            // The decoder refuses a size that does not fit.
            size = size > Int.max >> 5 ? Int.max >> 1 : size << 4 | Int(digit)
        }
        let isWhole = line?.readableBytesView.last == UInt8(ascii: "\n")
        place = isWhole ? (size == 0 ? .lines : .chunk(rest: size + 2)) : .chunkSize(size, hasEnded: hasEnded)
        return line
    }

    /// Moves the next bytes outside of bodies, at least one. `source` must not be empty.
    mutating func move(from source: inout ByteBuffer, to target: inout ByteBuffer) {
        switch place {
        case .beforeRequest, .method, .target: moveRequestLine(from: &source, to: &target)
        case .lines, .body, .chunkSize, .chunk:
            let length = source.lineLength
            source.readWithUnsafeReadableBytes { bytes in
                target.writeBytes(bytes.prefix(length))
                return length
            }
        }
    }

    private mutating func moveRequestLine(from source: inout ByteBuffer, to target: inout ByteBuffer) {
        let length = source.lineLength
        source.readWithUnsafeReadableBytes { bytes in
            // The bytes from here on are moved together, up to the next one that is escaped.
            var start = 0
            for index in 0..<length {
                let byte = bytes[index]
                place = place(after: byte)
                guard byte >= 0x80, case .target = place else { continue }
                target.writeBytes(bytes[start..<index])
                target.writeBytes([UInt8(ascii: "%"), (byte >> 4).upperCaseHexDigit, (byte & 0x0F).upperCaseHexDigit])
                start = index + 1
            }
            target.writeBytes(bytes[start..<length])
            return length
        }
    }

    private func place(after byte: UInt8) -> State {
        switch (place, byte) {
        case (.beforeRequest, UInt8(ascii: "\r")), (.beforeRequest, UInt8(ascii: "\n")): .beforeRequest
        case (_, UInt8(ascii: "\n")): .lines
        case (.beforeRequest, _): .method
        case (.method, UInt8(ascii: " ")): .target
        case (.target, UInt8(ascii: " ")), (.target, UInt8(ascii: "#")): .lines
        default: place
        }
    }
}

extension ByteBuffer {
    /// The length of the first line with its line feed; that of all bytes if there is no line feed.
    fileprivate var lineLength: Int {
        withUnsafeReadableBytes { bytes in
            guard let start = bytes.baseAddress, let end = memchr(start, Int32(UInt8(ascii: "\n")), bytes.count) else {
                return bytes.count
            }
            return UnsafeRawPointer(end) - start + 1
        }
    }
}
