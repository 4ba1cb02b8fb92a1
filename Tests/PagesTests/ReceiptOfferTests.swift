import Testing

@testable import Pages

/// What pages say of receipts, in each language.
@Suite struct ReceiptOfferTests {
    private let link = ReceiptOffer.Link(path: "/receipt/x", purpose: "tracking")

    @Test("without a record there is no offer", arguments: PageLanguage.allCases)
    func none(_ language: PageLanguage) {
        #expect(ReceiptOffer([]).isEmpty)
        #expect(ReceiptOffer([]).html(in: language).text.isEmpty)
    }

    @Test(
        "one record is a sentence and a link, which stays in the language of the page", arguments: PageLanguage.allCases
    )
    func one(_ language: PageLanguage) {
        let texts = language.texts.receipts
        #expect(
            ReceiptOffer([link]).html(in: language).text == """
                <p>\(texts.offer.escapedForHTML.text)</p>
                <p><a href="/receipt/x?lang=\(language.tag)">\(texts.save.escapedForHTML.text)</a></p>
                """)
    }

    @Test("of several records each link names its purpose")
    func several() {
        let other = ReceiptOffer.Link(path: "/receipt/y", purpose: "offers")
        let html = ReceiptOffer([link, other]).html(in: .english).text
        #expect(html.contains(#"<a href="/receipt/x?lang=en">Save the receipt (<bdi>tracking</bdi>)</a>"#))
        #expect(html.contains(#"<a href="/receipt/y?lang=en">Save the receipt (<bdi>offers</bdi>)</a>"#))
    }

    @Test("every language has texts of its own, short ones")
    func translated() {
        var owners: [String: PageLanguage] = [:]
        for language in PageLanguage.allCases {
            let texts = language.texts.receipts
            let refusals = [texts.notFound, texts.expired, texts.notReady]
            #expect(texts.save.count <= 40 && !texts.save.hasSuffix("."))
            for title in refusals.map(\.title) { #expect(!title.hasSuffix("."), "\(title)") }
            for text in [texts.offer, texts.save] + refusals.map(\.detail) + [
                texts.notFound.title, texts.expired.title,
            ] {
                #expect(owners.updateValue(language, forKey: text) == nil, "\(language.tag): \(text)")
                for sentence in text.split(whereSeparator: ".?!:".contains) {
                    #expect((1...30).contains(sentence.split(separator: " ").count), "\(language.tag): \(sentence)")
                }
            }
        }
    }
}
