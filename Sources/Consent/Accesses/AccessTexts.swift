import ASCII

/// The name under which a party that looks at recipients is recorded.
///
/// It stays in the ledger permanently, so it should be an opaque id and not a mail address. Names of different kinds
/// always differ: no account can have a name that looks like a key.
package struct AccessorName: Hashable, Sendable, CustomStringConvertible {
    static let maximumLength = 255
    package static let `operator` = AccessorName(checked: "operator")

    private static let keyPrefix = "key:"
    private static let accountPrefix = "account:"

    /// `operator`, `key:` and the key's id, or `account:` and the account's subject.
    package let description: String

    private init(checked text: String) { description = text }

    /// - Parameter text: must have the form of ``description``.
    package init(_ text: String) throws(AccessTextError) {
        let isNamed = [Self.keyPrefix, Self.accountPrefix].contains { prefix in
            text.utf8.starts(with: prefix.utf8) && text.utf8.count > prefix.utf8.count
        }
        guard isNamed || text.utf8.elementsEqual(Self.operator.description.utf8) else { throw .noName }
        guard text.utf8.count <= Self.maximumLength else { throw .nameLength }
        guard !text.hasControlCharacter else { throw .controlCharacter }
        description = text
    }

    /// - Parameter id: the id of a key, never the key.
    package init(key id: some CustomStringConvertible) { description = "\(Self.keyPrefix)\(id)" }

    /// - Parameter subject: the subject of an account of the console, as its identity provider names it (`sub`).
    package init(account subject: String) throws(AccessTextError) { try self.init("\(Self.accountPrefix)\(subject)") }
}

/// The accessor's reason for a look: 1 to 500 characters in their own words, without white space around it and without
/// control characters.
///
/// It may contain data about the recipient, so it is stored and forgotten like the recipient's identifier, and must not
/// be in logs or URLs.
package struct AccessReason: Hashable, Sendable {
    /// In Unicode scalars.
    package static let maximumLength = 500

    package let text: String

    /// The reason for a look that is still to be made: it must not be blank. Recorded reasons may be
    /// (``init(_:)``).
    package init(stated text: String) throws(AccessTextError) {
        guard !text.isBlank else { throw .reasonEmpty }
        try self.init(text)
    }

    /// - Parameter text: white space around it is removed.
    package init(_ text: String) throws(AccessTextError) {
        let trimmed = text.unicodeScalars.drop(while: \.properties.isWhitespace)
        guard let last = trimmed.lastIndex(where: { !$0.properties.isWhitespace }) else { throw .reasonEmpty }
        let kept = String(trimmed[...last])
        guard kept.unicodeScalars.count <= Self.maximumLength else { throw .reasonTooLong }
        guard !kept.hasControlCharacter else { throw .controlCharacter }
        self.text = kept
    }
}

extension AccessReason: CustomStringConvertible {
    /// Hides the text, so that interpolating it by mistake reveals nothing.
    package var description: String { "(reason)" }
}

/// Why a text is not a valid name of an accessor or not a valid reason. Its description never repeats the text.
package enum AccessTextError: Error, Hashable, CustomStringConvertible {
    case noName
    case nameLength
    case reasonEmpty
    case reasonTooLong
    case controlCharacter

    package var description: String {
        switch self {
        case .noName: "must be operator, or key: or account: and an id"
        case .nameLength: "must be at most \(AccessorName.maximumLength) bytes of UTF-8"
        case .reasonEmpty: "must not be empty or blank"
        case .reasonTooLong: "must be at most \(AccessReason.maximumLength) characters"
        case .controlCharacter: "must not contain control characters"
        }
    }
}
