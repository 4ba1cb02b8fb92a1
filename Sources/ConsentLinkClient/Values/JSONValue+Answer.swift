package import JSON

extension JSONValue {
    /// Reads an answer of the service, whatever its number of values. How many a document may have is a limit for
    /// requests of strangers; an answer is limited by its length, and each of its values takes a byte at least.
    package static func parse(answer bytes: some Collection<UInt8>) throws(JSONError) -> JSONValue {
        try parse(bytes, limits: JSONLimits(values: bytes.count))
    }
}
