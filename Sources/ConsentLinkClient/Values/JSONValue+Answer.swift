package import JSON

extension JSONValue {
    /// Reads an answer of the service with any number of values. The limit on the number of values protects against
    /// requests of unknown clients; an answer is limited by its length, and each of its values takes at least one byte.
    package static func parse(answer bytes: some Collection<UInt8>) throws(JSONError) -> JSONValue {
        try parse(bytes, limits: JSONLimits(values: bytes.count))
    }
}
