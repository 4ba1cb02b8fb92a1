import Identifiers
import JSON
import Messages
import Testing

/// Where a message may have a placeholder, and what is said of one that would reach its reader as it is.
@Suite struct PlaceholderCheckTests {
    private static let spelling = PreferencesPlaceholders.spelling
    private static let encoded = "%7B%7Bconsentlink.preferences%7D%7D"

    private func problems(_ json: String) throws -> [FieldProblem] {
        let rules = TargetRules(ownOrigin: try PublicOrigin("https://links.example"))
        do {
            _ = try Message.shape(rules: rules).read(JSONValue.parse(Array(json.utf8)))
            return []
        } catch let error as BodyProblems {
            return error.problems
        }
    }

    @Test(
        "html, text and the values of custom may have one",
        arguments: [
            #""html":"<a href='\#(spelling)'>x</a>""#, #""html":"<a href='\#(encoded)'>x</a>""#,
            #""text":"See \#(spelling).""#, #""custom":{"k":"\#(spelling)","l":"{{name}}"}"#,
            #""title":"{{name}}","body":"{{ consent }}","custom":{"{{k}}":""}"#,
        ])
    func taken(_ members: String) throws {
        #expect(try problems(#"{"name":"n",\#(members)}"#).isEmpty)
    }

    @Test(
        "anywhere else it is refused where it stands, and so is one that is misspelt",
        arguments: [
            (#""name":"\#(spelling)""#, "/name"), (#""tags":["a","\#(spelling)"]"#, "/tags/1"),
            (#""link":"https://a.example/","linkLabel":"\#(spelling)""#, "/linkLabel"),
            (
                #""actions":[{"id":"a","title":"A","link":"https://a.example/","label":"\#(spelling)"}]"#,
                "/actions/0/label"
            ),
            (#""title":"\#(spelling)""#, "/title"), (#""body":"a {{consentlink.x}}""#, "/body"),
            (#""link":"https://shop.example/?u=\#(encoded)""#, "/link"),
            (#""imageUrl":"https://shop.example/?u=\#(encoded)""#, "/imageUrl"),
            (#""sound":"\#(spelling)""#, "/sound"), (#""category":"\#(spelling)""#, "/category"),
            (#""actions":[{"id":"a","title":"A"},{"id":"b","title":"\#(spelling)"}]"#, "/actions/1/title"),
            (#""actions":[{"id":"\#(spelling)","title":"A"}]"#, "/actions/0/id"),
            (#""actions":[{"id":"a","title":"A","link":"https://a.example/\#(encoded)"}]"#, "/actions/0/link"),
            (#""custom":{"a":"","\#(spelling)":""}"#, "/custom/\(spelling)"),
            (#""custom":{"a":"","b":"{{consentlink.preference}}"}"#, "/custom/b"),
            (#""html":"{{consentlink.preference}}""#, "/html"), (#""text":"https://\#(spelling)""#, "/text"),
        ])
    func refused(_ members: String, _ pointer: String) throws {
        let name = pointer == "/name" ? "" : #""name":"n","#
        let problems = try problems("{\(name)\(members)}")
        #expect(problems.map(\.pointer.description) == [pointer])
        #expect(problems.first?.detail.contains(Self.spelling) == true)
    }

    @Test("what is stored is read as it was taken, whatever stands in it")
    func stored() throws {
        var message = Message(name: Self.spelling)
        message.title = Self.spelling
        message.tags = [try MessageTag(Self.spelling)]
        message.link = Message.Link(target: try TargetURL(stored: "https://a.example/"), isDeepLink: false)
        message.linkLabel = Self.spelling
        message.html = "{{consentlink.preference}}"
        message.custom = [
            Message.CustomField(key: "a\u{0}", value: ""),
            Message.CustomField(key: Self.spelling, value: "{{consentlink}}"),
        ]
        #expect(try Message(canonicalJSON: message.canonicalJSON) == message)
    }
}
