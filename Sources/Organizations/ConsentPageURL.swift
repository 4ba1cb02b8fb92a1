package import Messages

/// The organization's own page on which a recipient can consent to tracking. The scheme must be `https`; otherwise the
/// rules for the target of a link apply.
package struct ConsentPageURL: Hashable, Sendable {
    /// Byte for byte as given: at most 2,048 characters of visible ASCII.
    package let text: String
    /// The host as readers see it, who learn from it where the link leads.
    package let host: String

    package init(_ text: String) throws(ConsentPageURLError) {
        let target: TargetURL
        do throws(TargetURLError) {
            target = try TargetURL(stored: text)
        } catch {
            throw .target(error)
        }
        guard text.prefix(8).lowercased() == "https://", let host = target.host else { throw .notSecure }
        self.text = text
        self.host = host.text
    }
}

/// Why a text is not the address of a page for consent. Its description never repeats the text.
package enum ConsentPageURLError: Error, Hashable, CustomStringConvertible {
    case target(TargetURLError)
    case notSecure

    package var description: String {
        switch self {
        case .target(let error): error.description
        case .notSecure: "must begin with https://"
        }
    }
}

/// A change of an organization's page for consent.
package enum ConsentPageChange: Hashable, Sendable {
    case set(ConsentPageURL)
    case removed

    var page: ConsentPageURL? {
        switch self {
        case .set(let page): page
        case .removed: nil
        }
    }
}
