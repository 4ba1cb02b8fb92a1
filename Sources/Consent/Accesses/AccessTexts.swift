/// The name under which a party that looks at recipients is recorded.
///
/// It stands in the ledger for good, so it should be an opaque id, and no mail address. Names of different kinds differ:
/// no account can be named so that it looks like a key.
package struct AccessorName: Hashable, Sendable, CustomStringConvertible {
    package static let maximumLength = 255
    package static let `operator` = AccessorName(checked: "operator")

    private static let keyPrefix = "key:"
    private static let accountPrefix = "account:"

    /// `operator`, `key:` and the key's id, or `account:` and the account's subject.
    package let description: String

    private init(checked text: String) { description = text }

    /// - Parameter text: as ``description`` writes it.
    package init(_ text: String) throws(AccessTextError) {
        let isNamed = [Self.keyPrefix, Self.accountPrefix].contains { prefix in
            text.utf8.starts(with: prefix.utf8) && text.utf8.count > prefix.utf8.count
        }
        guard isNamed || text.utf8.elementsEqual(Self.operator.description.utf8) else { throw .noName }
        guard text.utf8.count <= Self.maximumLength else { throw .nameLength }
        guard !text.holdsControlCharacter else { throw .controlCharacter }
        description = text
    }

    /// - Parameter id: of a key, never the key.
    package init(key id: some CustomStringConvertible) { description = "\(Self.keyPrefix)\(id)" }

    /// - Parameter subject: of an account of the console, as its identity provider calls it (`sub`).
    package init(account subject: String) throws(AccessTextError) { try self.init("\(Self.accountPrefix)\(subject)") }
}

/// Why somebody looked: 1 to 500 characters in their own words, without white space around it and without control
/// characters.
///
/// It may say something of the recipient, so it is kept and forgotten as their identifier is, and stands in no log and no
/// URL.
package struct AccessReason: Hashable, Sendable {
    /// In Unicode scalars.
    package static let maximumLength = 500

    package let text: String

    /// - Parameter text: may have white space around it, which is left out.
    package init(_ text: String) throws(AccessTextError) {
        let trimmed = text.unicodeScalars.drop(while: \.properties.isWhitespace)
        guard let last = trimmed.lastIndex(where: { !$0.properties.isWhitespace }) else { throw .reasonEmpty }
        let kept = String(trimmed[...last])
        guard kept.unicodeScalars.count <= Self.maximumLength else { throw .reasonTooLong }
        guard !kept.holdsControlCharacter else { throw .controlCharacter }
        self.text = kept
    }
}

extension AccessReason: CustomStringConvertible {
    /// Hides the text, so that an interpolation by mistake leaks nothing.
    package var description: String { "(reason)" }
}

/// Why a text is no name of an accessor or no reason. Its description never repeats the text.
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
        case .reasonEmpty: "must not be empty"
        case .reasonTooLong: "must be at most \(AccessReason.maximumLength) characters"
        case .controlCharacter: "must not contain control characters"
        }
    }
}

extension String {
    fileprivate var holdsControlCharacter: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
