import ASCII

/// How a sender marks one link as not to be tracked: with our attribute, and with those that mails for other services
/// have already.
enum TrackingOptOut {
    static func isAsked(by element: WrittenElement) -> Bool {
        if element.attribute("ses:no-track") != nil { return true }
        if let own = element.attribute("data-consentlink")?.value, !isOn(own) { return true }
        for attribute in switches where element.attribute(attribute)?.value.lowercased() == "off" { return true }
        let classes = element.attribute("class")?.value ?? ""
        return classes.utf8.split(whereSeparator: \.isHTMLSpace).contains { word in
            word.map(\.lowerCased).elementsEqual("untracked".utf8)
        }
    }

    /// The attributes of other services.
    private static let switches: [StaticString] = ["clicktracking", "data-link-tracking"]

    /// Whether a value of our attribute lets a link be tracked. Any other value opts out: a misspelt `off` must not
    /// track.
    private static func isOn(_ value: String) -> Bool {
        value.utf8.filter { !$0.isHTMLSpace }.map(\.lowerCased).elementsEqual("on".utf8)
    }
}
