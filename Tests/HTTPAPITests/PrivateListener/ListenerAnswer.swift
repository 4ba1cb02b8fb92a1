import HTTPTypes
import Hummingbird
import JSON
import NIOCore

/// What a listener answered.
struct ListenerAnswer {
    let status: Int
    let headers: HTTPFields
    let body: String
    /// How long each piece is that the body was written in.
    var pieces: [Int] = []

    /// `null` where it is no JSON.
    var json: JSONValue { (try? JSONValue.parse(Array(body.utf8))) ?? .null }

    subscript(_ path: String...) -> JSONValue? { path.reduce(JSONValue?.some(json)) { $0?[$1] } }

    /// Of a problem: the pointers of the members that do not fit.
    var pointers: [String] { (self["errors"]?.items ?? []).map { $0["pointer"]?.text ?? "" } }

    /// Of an answer of lines, each as JSON.
    var lines: [JSONValue] {
        body.split(separator: "\n").map { (try? JSONValue.parse(Array($0.utf8))) ?? .null }
    }
}

extension JSONValue {
    subscript(name: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        return object[name]
    }

    var items: [JSONValue] {
        guard case .array(let items) = self else { return [] }
        return items
    }

    /// A text as it is, everything else as JSON.
    var text: String {
        guard case .string(let text) = self else { return String(decoding: serialized(), as: UTF8.self) }
        return text
    }
}

/// Keeps what is written.
final class BodyCollector: ResponseBodyWriter {
    private(set) var text = ""
    func write(_ buffer: ByteBuffer) async throws { text += String(buffer: buffer) }
    func finish(_: HTTPFields?) async throws {}
}

/// Keeps the bytes that are written.
final class ByteCollector: ResponseBodyWriter {
    private(set) var bytes: [UInt8] = []
    private(set) var pieces: [Int] = []

    func write(_ buffer: ByteBuffer) async throws {
        bytes += Array(buffer.readableBytesView)
        pieces.append(buffer.readableBytes)
    }

    func finish(_: HTTPFields?) async throws {}
}

/// Pieces that arrive one after the other.
struct ArrivingPieces: AsyncSequence, Sendable {
    let pieces: [ByteBuffer]
    /// Is awaited before the first piece arrives.
    var meanwhile: (@Sendable () async throws -> Void)?

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var rest: ArraySlice<ByteBuffer>
        fileprivate var meanwhile: (@Sendable () async throws -> Void)?

        mutating func next() async throws -> ByteBuffer? {
            try await meanwhile.take()?()
            return rest.popFirst()
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: pieces[...], meanwhile: meanwhile) }
}
