import Messages
import Testing

/// Mails that were made to keep a parser busy: it is told so before it begins.
@Suite struct HTMLLimitTests {
    private func error(_ html: String) -> BodyError? {
        do throws(BodyError) {
            _ = try MessageBody(html, .html, target: TargetURL.init(stored:))
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "a hundred thousand elements in each other are refused",
        arguments: [
            "<div>", "<b>", "<p><b>", "<svg>", "<template>", "<select><option>", "<table><tr><td>", "<button>", "<h1>",
            "<form>", "<nobr>", "<x:y>", "<a href=https://shop.example/>",
        ])
    func depth(_ tag: String) {
        #expect(error(String(repeating: tag, count: 100_000)) == .tooDeeplyNested)
    }

    @Test(
        "what looks like an end tag and is none does not hide how deep a mail is",
        arguments: [
            "<div><!--</div>-->", "<div><a title='</div>'>", "<div><script></div></script>", "<div></x>",
            "<div><style></div></style>", "<div><?</div>", "<div><textarea></div></textarea>", "<td><b></td>",
            "<div></ div>", "<span><div></span>",
        ])
    func hidden(_ markup: String) {
        #expect(error(String(repeating: markup, count: 100_000)) == .tooDeeplyNested)
    }

    @Test(
        "a self-closing tag counts as open where it may not be in a drawing",
        arguments: [
            "", "<svg><p>", "<svg></svg>", "<svg><desc>", "<select><svg>", "<svg/>", "<svg><foreignObject><p>",
        ])
    func selfClosing(_ beginning: String) {
        #expect(error(beginning + String(repeating: "<g/>", count: 100_000)) == .tooDeeplyNested)
    }

    @Test(
        "a document in which text and markup cannot be told apart is refused",
        arguments: [
            "<svg><style><g></style>", "<svg><![CDATA[></svg>]]>", "<svg><![CDATA[x]]></svg>",
            "<table/><svg><foreignObject><![CDATA[x]]>t", "<select><textarea><b></textarea>",
            "<math><title><b></title>", "<path/><svg><p></svg><style><b></style>",
            "<svg><foreignObject><p></foreignObject></svg><style><b></style>", "<svg/ ><style><b></style>",
            "<svg><desc><b></desc></svg><style><b></style>", "<svg><g></div></svg><style><b></style>",
            "<select><input><option></select><style><b></style>",
        ])
    func undecidable(_ markup: String) {
        #expect(error(markup) == .undecidable)
    }

    @Test(
        "what an unclosed drawing, a void element in one or an end tag without a name hides is counted",
        arguments: ["<input>", "<wbr>x", "<svg><link></g>", "</><path></path>", "<svg><use></>"])
    func drawings(_ markup: String) {
        #expect(error("<svg>" + String(repeating: markup, count: 100_000)) == .tooDeeplyNested)
    }

    @Test("what a table leaves open that another table ended is counted")
    func tables() {
        let row =
            "<table>"
            + String(repeating: "<table></table>" + String(repeating: "<x>", count: 25) + "</table>", count: 4000)
        #expect(error(row + String(repeating: "</y>", count: 10_000)) == .tooDeeplyNested)
        let inCells = String(repeating: "<table><tr><td><table></table><x></x></td></tr></table>", count: 20_000)
        #expect(error(inCells) == nil)
    }

    @Test(
        "what would end the process in the parser is refused",
        arguments: [
            "<table><svg><select><desc><select><tr>", "<select><select><table><svg><select><desc><select><table>",
            "<table><tr><td><svg><select><desc><select><td>", "<svg><select></select></svg>", "<math><mi><select>",
            "<!--[if mso]><a href=x><table><svg><select><desc><select><tr><![endif]-->",
        ])
    func selectInDrawing(_ markup: String) { #expect(error(markup) == .undecidableSelect) }

    @Test("a script whose end cannot be found is named as one")
    func undecidableScript() {
        #expect(error("<script>var t=\"<!--<script>\";</script>") == .undecidableScript)
    }

    @Test(
        "the same with nothing to guess is taken",
        arguments: [
            "<svg><style>a{}</style></svg>", "<![CDATA[x]]><b>y</b>", "<svg></svg><textarea><b></textarea>",
            "<script><!-- x --></script>", "<select><option>x</select>",
            "<svg><path d='M0 0'/></svg><style><!-- a{} --></style>", "<svg><path d=x/></svg><style><b></style>",
            "<p><b><svg><title>x</title><g><use><path/></g><desc>y</desc></svg><style><b></style>",
            "<svg/><textarea><b></textarea>", "<math/><title><b></title>", "<svg><svg/><svg></svg></svg><xmp><b></xmp>",
            "<svg><style/><path/></svg><style><b></style>", "<math><mi>x</mi><mo/></math><style><b></style>",
            "<select><option>1<option>2</select><textarea><b></textarea>",
            "<svg><desc><b></b></desc></svg><style><b></style>",
            "<select><optgroup><option>1<optgroup><option>2</select><style><b></style>",
        ])
    func decidable(_ markup: String) { #expect(error(markup) == nil) }

    @Test("formatting that was left open and would be copied for every paragraph is refused")
    func copies() {
        let open = (0..<1000).map { "<b id=\($0)>" }.joined()
        #expect(error("<div>\(open)</div>" + String(repeating: "<p>x</p>", count: 100_000)) == .tooDeeplyNested)
    }

    @Test("too many attributes are refused: in a tag, in all, and in all on the body")
    func attributes() {
        let many = (0..<256).map { "a\($0)" }.joined(separator: " ")
        #expect(error("<p \(many)>") == nil)
        #expect(error("<p \(many) one>") == .tooManyAttributes)
        #expect(error(String(repeating: "<p \(many)>", count: 4097)) == .tooManyAttributes)
        #expect(error(String(repeating: "<body \(many)>", count: 17)) == .tooManyAttributes)
    }

    @Test("a mail of many tags is taken when it closes them, leaves out what may be left out, or has none in another")
    func large() {
        let row = "<tr><td><p>x<td><b>y</b></td></tr>"
        #expect(error("<table>" + String(repeating: row, count: 200) + "</table>") == nil)
        let cell = "<table><tr><td style='x'><p>text <a href='https://shop.example/'>t</a></td></tr></table>\n"
        #expect(error(String(repeating: cell, count: 20_000)) == nil)
        #expect(error("<ul>" + String(repeating: "<li>x", count: 100_000)) == nil)
        let shape = "<path d='\(String(repeating: "M0 ", count: 30))'/>"
        #expect(error("<svg>" + String(repeating: shape, count: 8_000) + "</svg>") == nil)
        #expect(error(String(repeating: "<svg>\(shape)<path></svg>", count: 8_000)) == nil)
        #expect(error(String(repeating: "<br>", count: 524_288)) == nil)
        #expect(error(String(repeating: "<br>", count: 524_289)) == .tooManyElements)
        #expect(error(String(repeating: "<!>", count: 524_289)) == .tooManyElements)
    }

    @Test("ten mebibytes are taken, a byte more is not, of HTML and of text", arguments: [BodyLink.Part.html, .text])
    func length(_ place: BodyLink.Part) throws {
        let text = String(repeating: "lorem ipsum dolor sit am\n", count: (10 << 20) / 25 + 1).prefix(10 << 20)
        #expect(try Mail(String(text), place).untracked == text)
        #expect(throws: BodyError.tooLong) { try Mail(text + "x", place) }
    }

    @Test("65,535 links are taken, one more is not, of HTML and of text")
    func links() throws {
        // Links to nowhere are the quickest to judge.
        let links = Array(repeating: "<a href=#>x</a>", count: 65_536)
        #expect(try Mail(links.dropLast().joined(), .html).body.links.count == 65_535)
        #expect(throws: BodyError.tooManyLinks) { try Mail(links.joined(), .html) }
        let urls = Array(repeating: "http://%%", count: 65_536)
        #expect(try Mail(urls.dropLast().joined(separator: " "), .text).body.links.count == 65_535)
        #expect(throws: BodyError.tooManyLinks) { try Mail(urls.joined(separator: " "), .text) }
    }

    @Test("comments for Outlook are counted together with what is around them")
    func comments() {
        let deep = String(repeating: "<div>", count: 10_000)
        let one = "<!--[if mso]><a href=x>\(deep)<![endif]-->"
        #expect(error(one) == nil)
        #expect(error(String(repeating: one, count: 20)) == .tooDeeplyNested)
    }

    @Test("errors say what is wrong and show nothing of the mail", arguments: BodyError.allCases)
    func descriptions(_ error: BodyError) {
        #expect(error.description.wholeMatch(of: /(must|is|has) [^<>"]+/) != nil)
    }
}
