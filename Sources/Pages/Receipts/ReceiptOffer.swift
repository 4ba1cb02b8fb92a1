/// The part of a page after an answer that offers a receipt, with a link to it. Only the answer to the request that
/// made the record may show it, because it leads to the person's name.
package struct ReceiptOffer: Hashable, Sendable {
    package struct Link: Hashable, Sendable {
        /// The path on the public origin, with the token.
        let path: String
        /// As the organization named it: `a-z 0-9 . -`.
        let purpose: String

        package init(path: String, purpose: String) {
            self.path = path
            self.purpose = purpose
        }
    }

    private let links: [Link]

    /// - Parameter links: one for each new record; without links there is no offer.
    package init(_ links: [Link]) { self.links = links }

    package var isEmpty: Bool { links.isEmpty }

    /// A sentence, and a link for each record. If there are several, each names its purpose. Empty without links.
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
