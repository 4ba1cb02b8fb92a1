import ASCII

/// An id as a segment of a path. It has no characters that would change the path.
package struct PathSegment: CustomStringConvertible {
    package let description: String

    package init(_ id: String) throws(ConsentLinkError) {
        guard !id.isEmpty, id.utf8.allSatisfy(\.isNameCharacter), id.contains(where: { $0 != "." }) else {
            throw .invalidArgument("an id has only letters, digits, dots, underscores and hyphens")
        }
        description = id
    }
}
