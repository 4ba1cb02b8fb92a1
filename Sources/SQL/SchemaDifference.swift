/// How the tables of a database file differ from those that the steps of its version make.
package enum SchemaDifference: Hashable, Sendable, CustomStringConvertible {
    case missing(SchemaObjectName)
    /// It has other columns, constraints or terms.
    case different(SchemaObjectName)
    /// No step up to the version of the file makes it.
    case unknown(SchemaObjectName)
    /// A version that no step leaves behind.
    case version(Int)

    package var description: String {
        switch self {
        case .missing(let object): "\(object) is missing"
        case .different(let object): "\(object) is different"
        case .unknown(let object): "\(object) is not known"
        case .version(let version): "no version of the service has schema version \(version)"
        }
    }
}

/// The type and the name of something in a database. Another program may have chosen the name.
package struct SchemaObjectName: Hashable, Sendable, CustomStringConvertible {
    private static let greatestLength = 64

    /// `table` or `index`.
    package let type: String
    package let name: String

    package init(type: String, name: String) {
        self.type = type
        self.name = name
    }

    /// The name in one line: whatever the service uses in no name is a question mark.
    package var shownName: String {
        let characters = name.unicodeScalars.prefix(Self.greatestLength).map { scalar -> Character in
            let isOwn = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            return isOwn || scalar == "_" ? Character(scalar) : "?"
        }
        return String(characters)
    }

    package var description: String { "the \(type) \(shownName)" }
}
