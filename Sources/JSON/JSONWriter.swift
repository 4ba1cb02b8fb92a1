/// Appends JSON to bytes, value after value, with the commas between them.
///
/// The caller must close brackets and write a key before each member's value; the forms with closures do that in loops
/// and closures.
///
///     var writer = JSONWriter()
///     writer.object { writer in
///         writer.member("id", "acme")
///         writer.key("links")
///         writer.array { writer in writer.integer(1) }
///     }
package struct JSONWriter: Sendable {
    /// The written bytes; a caller that streams may take them at any time with ``takeBytes()``.
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Reserves space for `count` more bytes.
    package mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

    /// The bytes since the last call; the writer continues at its place.
    package mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// Drops the bytes that were not taken.
    ///
    /// - Parameter keepingCapacity: whether to reuse the same memory.
    package mutating func removeBytes(keepingCapacity: Bool) { bytes.removeAll(keepingCapacity: keepingCapacity) }

    package mutating func beginObject() { begin(.openBrace) }
    package mutating func endObject() { end(.closeBrace) }
    package mutating func beginArray() { begin(.openBracket) }
    package mutating func endArray() { end(.closeBracket) }

    /// Writes the name of the member whose value follows.
    package mutating func key(_ name: String) {
        string(name)
        bytes.append(.colon)
        needsComma = false
    }

    package mutating func string(_ text: String) {
        beginValue()
        bytes.appendJSONString(text)
    }

    package mutating func integer(_ value: some FixedWidthInteger) { append(String(value)) }
    package mutating func bool(_ value: Bool) { append(value ? "true" : "false") }
    package mutating func null() { append("null") }

    /// Writes a value that is JSON already, such as a part that was made once for all recipients.
    package mutating func raw(_ json: some Collection<UInt8>) {
        beginValue()
        bytes.append(contentsOf: json)
    }

    /// Writes a value that `append` appends as JSON.
    package mutating func raw(_ append: (inout [UInt8]) -> Void) {
        beginValue()
        append(&bytes)
    }

    /// Ends a document with `byte`; the next value begins another one, for example in JSON lines.
    package mutating func separate(by byte: UInt8) {
        bytes.append(byte)
        needsComma = false
    }

    private mutating func append(_ literal: String) {
        beginValue()
        bytes.append(contentsOf: literal.utf8)
    }

    private mutating func beginValue() {
        if needsComma { bytes.append(.comma) }
        needsComma = true
    }

    private mutating func begin(_ bracket: UInt8) {
        beginValue()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }
}

extension JSONWriter {
    package mutating func object<Failure: Error>(
        _ fill: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginObject()
        try fill(&self)
        endObject()
    }

    package mutating func array<Failure: Error>(
        _ fill: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginArray()
        try fill(&self)
        endArray()
    }

    /// Writes a member; `nil` is written as `null`.
    package mutating func member(_ name: String, _ text: String?) {
        key(name)
        if let text { string(text) } else { null() }
    }

    /// Writes a member, or nothing for `nil`.
    package mutating func member(_ name: String, ifPresent text: String?) {
        if let text { member(name, text) }
    }

    package mutating func member(_ name: String, _ value: Bool) {
        key(name)
        bool(value)
    }

    /// Writes a member; `nil` is written as `null`.
    package mutating func member(_ name: String, _ value: (some FixedWidthInteger)?) {
        key(name)
        if let value { integer(value) } else { null() }
    }
}
