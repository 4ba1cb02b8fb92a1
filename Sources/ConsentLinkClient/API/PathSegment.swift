/// An id as a segment of a path. It has no characters that would change the path.
package struct PathSegment: CustomStringConvertible {
    package let description: String

    package init(_ id: String) throws(ConsentLinkError) {
        let isSafe = id.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "._-".utf8.contains(byte)
        }
        guard !id.isEmpty, isSafe, id.contains(where: { $0 != "." }) else {
            throw .invalidArgument("an id has only letters, digits, dots, underscores and hyphens")
        }
        description = id
    }
}
