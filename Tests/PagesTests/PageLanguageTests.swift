import Testing

@testable import Pages

@Suite("The language of a page")
struct PageLanguageTests {
    private func wanted(_ header: String) -> PageLanguage? {
        let bytes = Array(header.utf8)
        return PageLanguage(acceptLanguage: bytes.span)
    }

    private func chosen(_ query: String) -> PageLanguage? {
        let bytes = Array(query.utf8)
        return PageLanguage(chosenIn: bytes.span)
    }

    @Test("tags are two small letters, each of one language; names are those of their speakers")
    func tags() {
        #expect(
            PageLanguage.allCases.map(\.tag) == [
                "cs", "da", "de", "en", "es", "fi", "fr", "it", "nl", "pl", "pt", "sv",
            ])
        #expect(Set(PageLanguage.allCases.map(\.ownName)).count == 12)
        #expect(PageLanguage.allCases.map(\.rawValue) == Array(0..<12))
    }

    @Test("every language is found by its tag, whatever the case, the region and the script are")
    func everyLanguage() {
        for language in PageLanguage.allCases {
            let tag = language.tag
            for range in [tag, tag.uppercased(), "\(tag)-AT", "\(tag)-Latn-CH-1996"] {
                #expect(wanted(range) == language)
                #expect(chosen("lang=\(range)") == language)
            }
        }
    }

    @Test(
        "the greatest weight wins, of equal ones the first",
        arguments: [
            ("de-AT,de;q=0.9,en;q=0.8", PageLanguage.german), ("en;q=0.8, fr;q=0.9", .french),
            ("da, en-gb;q=0.8, en;q=0.7", .danish), ("zh-TW,zh;q=0.9,pl;q=0.5,en;q=0.4", .polish),
            ("nb-NO,nb;q=0.9,no;q=0.8,nn;q=0.7,sv;q=0.1", .swedish), ("it;q=0.5,es;q=0.5", .italian),
            ("*, nl;q=0.1", .dutch), ("cs;q=0.001", .czech), ("cs;q=1.000,da", .czech), ("fi;q=1.", .finnish),
            ("\tpt \t;\t q=0.5 , zh", .portuguese), ("sv;Q=1", .swedish), (",,de,,", .german),
            ("en;q=0,de;q=0.2", .german), ("de-DE-x-goethe", .german),
            ("de;", .german),
        ])
    func weights(_ header: String, _ expected: PageLanguage) {
        #expect(wanted(header) == expected)
    }

    @Test(
        "what is malformed, unknown or not wanted is ignored",
        arguments: [
            "", " ", ",", ";", "*", "*;q=1", "zh", "deu", "d", "-de", "de-", "de--AT", "de_AT", "de-übersetzt",
            "de-verylongsubtag", "x-de", "i-klingon", "de;q=0", "de;q=0.000", "de;q=1.1", "de;q=1.001", "de;q=0.1234",
            "de;q=", "de;q=.5", "de;q=-1", "de;q=a", "de;q=0,5", "de;level=1", "de;q=1;q=0", "de q=1", "\"de\"",
            "de\u{0}", "<script>", "ＤＥ", "0e", "d\u{45}\u{301}",
        ])
    func ignored(_ header: String) {
        #expect(wanted(header) == nil)
        #expect(wanted(header + ",fr;q=0.1") == .french)
    }

    @Test("of a long header the beginning is read, and no half of a range")
    func long() {
        let limit = PageLanguage.maximumHeaderLength
        let padding = String(repeating: "zh,", count: limit / 3)
        #expect(wanted(padding + "de") == (padding.utf8.count + 2 <= limit ? .german : nil))
        #expect(wanted(String(repeating: ",", count: limit - 2) + "de") == .german)
        #expect(wanted(String(repeating: ",", count: limit - 2) + "de-AT") == nil, "the cut would be `de`")
        #expect(wanted(String(repeating: ",", count: limit - 2) + "den") == nil)
        #expect(wanted("fr;q=0.5," + String(repeating: "x", count: 1 << 20)) == .french)
        #expect(wanted(String(repeating: "de-", count: 1 << 18)) == nil)
    }

    @Test("no byte in any place brings it down")
    func anyByte() {
        let header = Array("de-AT;q=0.5,fr".utf8)
        for place in header.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = header
                changed[place] = byte
                _ = PageLanguage(acceptLanguage: changed.span)
                _ = PageLanguage(chosenIn: changed.span)
            }
        }
    }

    @Test(
        "of a query the first member of that name counts",
        arguments: [
            ("lang=de", PageLanguage.german), ("utm=a&lang=fr", .french), ("lang=sv&lang=de", .swedish), ("", nil),
            ("lang", nil), ("lang=", nil), ("lang=zh&lang=de", nil), ("Lang=de", nil), ("slang=de", nil),
            ("lang=d%65", nil), ("lang=de%20", nil), ("lang=de;x", nil), ("lang=\"><script>", nil),
            ("&&lang=it&", .italian),
        ])
    func query(_ query: String, _ expected: PageLanguage?) {
        #expect(chosen(query) == expected)
    }

    @Test("what the reader chose comes first, then what their browser asks for, then English")
    func order() {
        func language(_ query: String, _ header: String) -> PageLanguage {
            let (query, header) = (Array(query.utf8), Array(header.utf8))
            return PageLanguage(query: query.span, acceptLanguage: header.span)
        }
        #expect(language("lang=fi", "de") == .finnish)
        #expect(language("lang=xx", "de") == .german)
        #expect(language("", "de") == .german)
        #expect(language("lang=xx", "zh") == .english)
        #expect(language("", "") == .english)
    }
}
