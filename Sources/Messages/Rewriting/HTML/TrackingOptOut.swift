/// How a sender says of one link that it is not to be tracked: in our way, and in those that mails written for other
/// services have already.
enum TrackingOptOut {
    static func isAsked(by element: some LinkElement) -> Bool {
        if element.attribute("ses:no-track") != nil { return true }
        for attribute in switches where element.attribute(attribute)?.value.lowercased() == "off" { return true }
        let classes = element.attribute("class")?.value ?? ""
        return classes.utf8.split(whereSeparator: \.isHTMLSpace).contains { $0.elementsEqual("untracked".utf8) }
    }

    private static let switches: [StaticString] = ["data-consentlink", "clicktracking", "data-link-tracking"]
}
