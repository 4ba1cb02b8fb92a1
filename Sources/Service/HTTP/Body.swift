import Hummingbird
import JSON
import NIOCore

extension Request {
    /// The largest body that is read, in bytes.
    static let maximumBodySize = 16 << 20

    /// The JSON body as `shape` has it.
    ///
    /// Never inlined: Swift 6.3.1 crashes in optimised builds when it splits a caller's coroutine around it.
    @inline(never)
    func json<Value>(as shape: JSONShape<Value>) async throws -> Value {
        try shape.read(try await json())
    }

    func json() async throws -> JSONValue { try JSONValue.parse(try await jsonBytes()) }

    /// The body that says it is JSON.
    func jsonBytes() async throws -> [UInt8] {
        guard bodyType == .json else {
            throw Problem(.unsupportedMediaType, "The body must be application/json in UTF-8.")
        }
        var buffer = try await body.collect(upTo: Self.maximumBodySize)
        return buffer.readBytes(length: buffer.readableBytes) ?? []
    }
}
