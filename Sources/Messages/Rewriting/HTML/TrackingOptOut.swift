import ASCII

/// How a sender marks one link as not to be tracked: with our attribute, and with those that mails for other services
/// have already.
///
/// If an attribute is given twice, each counts: a browser ignores the second, but its sender wrote it. Any other value
/// of our attribute than `on` opts out: a misspelt `off` must not track.
enum TrackingOptOut {
    static func isAsked(by element: WrittenElement) -> Bool {
        element.attribute("ses:no-track") != nil
            || element.attributes("data-consentlink").contains { words(in: $0.value) != ["on"] }
            || switches.contains { element.attributes($0).contains { markers(in: $0) == ["off"] } }
            || element.attributes("class").contains { markers(in: $0).contains("untracked") }
    }

    /// The attributes of other services.
    private static let switches: [StaticString] = ["clicktracking", "data-link-tracking"]

    /// The words of a value that may opt out. Without quotes, the slash of `<area clicktracking=off/>` is a part of the
    /// value.
    private static func markers(in attribute: HTMLAttribute) -> [String] {
        let value = attribute.value
        return words(in: !attribute.isQuoted && value.hasSuffix("/") ? String(value.dropLast()) : value)
    }

    /// The words of a value in lower case, separated by the white space of HTML.
    private static func words(in value: String) -> [String] {
        value.utf8.split(whereSeparator: \.isHTMLSpace).map { String(decoding: $0.map(\.lowerCased), as: UTF8.self) }
    }
}
