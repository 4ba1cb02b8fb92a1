/// Appends JSON to bytes, value after value, and puts the commas.
///
/// That brackets close and that a key stands before each member's value is the caller's part; what a loop or a closure
/// can get wrong the forms with closures get right.
///
///     var writer = JSONWriter()
///     writer.object { writer in
///         writer.member("id", "acme")
///         writer.key("links")
///         writer.array { writer in writer.integer(1) }
///     }
package struct JSONWriter: Sendable {
    /// What was written; a caller that streams may take it away at any time with ``takeBytes()``.
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Makes room for as many bytes more.
    package mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

    /// What was written since the last time; the writer goes on where it is.
    package mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// Forgets what was written since the last time.
    ///
    /// - Parameter keepingCapacity: whether what is written next is written into the same memory.
    package mutating func removeBytes(keepingCapacity: Bool) { bytes.removeAll(keepingCapacity: keepingCapacity) }

    package mutating func beginObject() { begin(.openBrace) }
    package mutating func endObject() { end(.closeBrace) }
    package mutating func beginArray() { begin(.openBracket) }
    package mutating func endArray() { end(.closeBracket) }

    /// The name of the member whose value is written next.
    package mutating func key(_ name: String) {
        string(name)
        bytes.append(.colon)
        needsComma = false
    }

    package mutating func string(_ text: String) {
        beginValue()
        bytes.appendJSONString(text)
    }

    /// A text as its bytes of UTF-8.
    package mutating func string(utf8: [UInt8]) {
        beginValue()
        utf8.withUnsafeBufferPointer { bytes.appendJSONString($0) }
    }

    package mutating func integer(_ value: some FixedWidthInteger) { append(String(value)) }
    package mutating func bool(_ value: Bool) { append(value ? "true" : "false") }
    package mutating func null() { append("null") }

    /// A value that is JSON already, such as a part that was made once for everybody.
    package mutating func raw(_ json: some Collection<UInt8>) {
        beginValue()
        bytes.append(contentsOf: json)
    }

    /// A value that `append` appends as JSON.
    package mutating func raw(_ append: (inout [UInt8]) -> Void) {
        beginValue()
        append(&bytes)
    }

    /// Ends a document with `byte`; the next value begins another one (a line of JSON lines, for one).
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

    /// A member; `nil` is written as `null`.
    package mutating func member(_ name: String, _ text: String?) {
        key(name)
        if let text { string(text) } else { null() }
    }

    package mutating func member(_ name: String, utf8: [UInt8]) {
        key(name)
        string(utf8: utf8)
    }

    package mutating func member(_ name: String, _ value: Bool) {
        key(name)
        bool(value)
    }

    /// A member; `nil` is written as `null`.
    package mutating func member(_ name: String, _ value: (some FixedWidthInteger)?) {
        key(name)
        if let value { integer(value) } else { null() }
    }
}
