extension JSONValue {
    /// The value as text for people: one member or element a line, two spaces for each level, a newline at the end.
    package func indented() -> [UInt8] {
        var bytes: [UInt8] = []
        appendIndented(to: &bytes, level: 0)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    private func appendIndented(to bytes: inout [UInt8], level: Int) {
        switch self {
        case .object(let object) where !object.isEmpty:
            bytes.append(.openBrace)
            for (position, member) in object.members.enumerated() {
                Self.beginLine(position, level + 1, &bytes)
                bytes.appendJSONString(member.name)
                bytes.append(contentsOf: ": ".utf8)
                member.value.appendIndented(to: &bytes, level: level + 1)
            }
            Self.beginLine(0, level, &bytes)
            bytes.append(.closeBrace)
        case .array(let elements) where !elements.isEmpty:
            bytes.append(.openBracket)
            for (position, element) in elements.enumerated() {
                Self.beginLine(position, level + 1, &bytes)
                element.appendIndented(to: &bytes, level: level + 1)
            }
            Self.beginLine(0, level, &bytes)
            bytes.append(.closeBracket)
        case .null, .bool, .number, .string, .array, .object: bytes += serialized()
        }
    }

    /// - Parameter position: the position of the line's content among its siblings; a comma ends the line before.
    private static func beginLine(_ position: Int, _ level: Int, _ bytes: inout [UInt8]) {
        if position > 0 { bytes.append(.comma) }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
    }
}
