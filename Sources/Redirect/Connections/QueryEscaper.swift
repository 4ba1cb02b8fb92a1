import Glibc
import NIOCore

/// Escapes bytes from 0x80 on in the queries of a connection's requests, because the HTTP decoder refuses them:
/// parameters that a mail program or website adds to a link are not always escaped. All other bytes stay as they are.
///
/// It must know where a request begins, and the decoder alone knows where one ends. So it moves at most one line, or one
/// body of known length, at a time: a request ends nowhere else. The decoder reads that before the next one is moved.
struct QueryEscaper {
    private enum Place {
        case beforeRequest
        case method
        case path
        case query
        /// After the query: the rest of the line, the header, and chunks.
        case lines
        case body(rest: Int)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private var place = Place.beforeRequest

    /// The header ends with the line that was moved last. A body of so many bytes follows.
    mutating func beginBody(length: Int) { place = .body(rest: length) }

    /// The request ends with what was moved last.
    mutating func endRequest() { place = .beforeRequest }

    /// Moves the next bytes, at least one. `source` must not be empty.
    mutating func move(from source: inout ByteBuffer, to target: inout ByteBuffer) {
        let length: Int
        switch place {
        case .body(let rest) where rest > 0:
            length = min(rest, source.readableBytes)
            place = .body(rest: rest - length)
        case .body, .lines: length = source.lineLength
        case .beforeRequest, .method, .path, .query: return moveRequestLine(from: &source, to: &target)
        }
        source.readWithUnsafeReadableBytes { bytes in
            target.writeBytes(bytes.prefix(length))
            return length
        }
    }

    private mutating func moveRequestLine(from source: inout ByteBuffer, to target: inout ByteBuffer) {
        let length = source.lineLength
        source.readWithUnsafeReadableBytes { bytes in
            for byte in bytes.prefix(length) {
                place = place(after: byte)
                guard case .query = place, byte >= 0x80 else {
                    target.writeInteger(byte)
                    continue
                }
                target.writeBytes([UInt8(ascii: "%"), Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 0xF)]])
            }
            return length
        }
    }

    private func place(after byte: UInt8) -> Place {
        switch (place, byte) {
        case (.beforeRequest, UInt8(ascii: "\r")), (.beforeRequest, UInt8(ascii: "\n")): .beforeRequest
        case (_, UInt8(ascii: "\n")): .lines
        case (.beforeRequest, _): .method
        case (.method, UInt8(ascii: " ")): .path
        case (.path, UInt8(ascii: "?")): .query
        case (.path, UInt8(ascii: " ")), (.path, UInt8(ascii: "#")): .lines
        case (.query, UInt8(ascii: " ")), (.query, UInt8(ascii: "#")): .lines
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
