package import Messages

/// The organization's own page on which a person can agree to being tracked: `https`, and otherwise what a target of a
/// link may be.
package struct ConsentPageURL: Hashable, Sendable {
    /// Byte for byte as it was given: at most 2,048 characters of visible ASCII.
    package let text: String
    /// As it is shown to readers, who learn from it where the link leads.
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

/// What a change makes of an organization's page for consent.
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
