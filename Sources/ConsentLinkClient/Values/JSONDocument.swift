import Foundation
import JSON

/// A JSON document as the service sends it, such as a payload: its members in order, its numbers digit by digit.
public struct JSONDocument: Sendable, Hashable {
    /// UTF-8, in one line.
    public let bytes: [UInt8]

    /// The text to pass on, for example to a carrier.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The document as a value of your own.
    ///
    /// ```swift
    /// struct Push: Decodable { let data: [String: String] }
    /// let link = try payload.payload.decoded(as: Push.self).data["link"]
    /// ```
    /// - Throws: `DecodingError`.
    public func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }

    init(_ value: JSONValue) { bytes = value.serialized() }
}

extension JSONDocument {
    /// - Throws: ``ConsentLinkError/unexpectedAnswer(_:)`` if it is not JSON, for example because the document was cut
    ///   off.
    init(parsing bytes: [UInt8]) throws(ConsentLinkError) {
        guard let value = try? JSONValue.parse(answer: bytes) else { throw .unexpectedAnswer("it is not JSON") }
        self.init(value)
    }
}
