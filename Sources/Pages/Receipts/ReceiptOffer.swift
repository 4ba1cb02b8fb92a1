/// What a page shows after an answer: that the person may keep a receipt, and a link to it. For the page that answers the
/// request which recorded the answer, and for no other: it leads to the person's name.
package struct ReceiptOffer: Hashable, Sendable {
    package struct Link: Hashable, Sendable {
        /// On the public origin, with the token.
        package let path: String
        /// As the organization named it: `a-z 0-9 . -`.
        package let purpose: String

        package init(path: String, purpose: String) {
            self.path = path
            self.purpose = purpose
        }
    }

    private let links: [Link]

    /// - Parameter links: one for each record that was made; without one there is nothing to offer.
    package init(_ links: [Link]) { self.links = links }

    package var isEmpty: Bool { links.isEmpty }

    /// A sentence, and a link for each record. Where there are several, each names its purpose. Empty without a link.
    package func html(in language: PageLanguage) -> HTML {
        guard !links.isEmpty else { return "" }
        let lines = links.map { link in
            let purpose: HTML = links.count > 1 ? " (<bdi>\(link.purpose)</bdi>)" : ""
            let line: HTML = """
                <p><a href="\(link.path)?lang=\(language.tag)">\(language.texts.receipts.save)\(purpose)</a></p>
                """
            return line
        }
        return HTML(lines: ["<p>\(language.texts.receipts.offer)</p>"] + lines)
    }
}
