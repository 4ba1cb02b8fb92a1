import Identifiers
import JSON
import Messages
import Testing

@Suite struct MessageShapeTests {
    private func read(_ json: String, hosts: [TargetHostPattern] = []) throws -> Message {
        let rules = TargetRules(ownOrigin: try PublicOrigin("https://links.example"), allowedHosts: hosts)
        return try Message.shape(rules: rules).read(JSONValue.parse(Array(json.utf8)))
    }

    private func problems(_ json: String, hosts: [TargetHostPattern] = []) -> [String] {
        do {
            _ = try read(json, hosts: hosts)
            return []
        } catch let error as BodyProblems {
            return error.problems.map(\.pointer.description)
        } catch {
            return ["\(error)"]
        }
    }

    @Test("a name is all that a message needs")
    func least() throws {
        let message = try read(#"{"name":"news"}"#)
        #expect(message == Message(name: "news"))
        #expect(message.tracking)
        #expect(message.purposes == .tracking)
        #expect(!message.contentAvailable)
        #expect(message.expiresAt == nil)
    }

    @Test("every member is read")
    func everything() throws {
        let message = try read(
            #"""
            {"name":"spring-sale","title":"T\n","body":"B","imageUrl":"https://cdn.example/i.png",
            "link":"https://shop.example/a?b=c#d","deepLink":true,
            "actions":[{"id":"buy","title":"Buy","link":"https://shop.example/buy","deepLink":true,"label":"Buy now"},{"id":"later","title":"Later"}],
            "badge":2,"sound":"default","category":"offers","contentAvailable":true,"custom":{"k":"v","a":""},
            "tracking":false,"purpose":"mail","expiresAt":"2026-12-01T00:00:00Z",
            "tags":["vip","spring sale","Vip"],"linkLabel":"hero"}
            """#)
        #expect(message.tags.map(\.text) == ["Vip", "spring sale", "vip"], "in order of their bytes")
        #expect(message.linkLabel == "hero")
        #expect(message.actions.map(\.label) == ["Buy now", nil])
        #expect(message.name == "spring-sale")
        #expect(message.title == "T\n")
        #expect(message.body == "B")
        #expect(message.imageURL?.text == "https://cdn.example/i.png")
        #expect(message.link?.target.text == "https://shop.example/a?b=c#d")
        #expect(message.link?.isDeepLink == true)
        #expect(message.actions.map(\.id) == ["buy", "later"])
        #expect(message.actions.map(\.title) == ["Buy", "Later"])
        #expect(message.actions.map { $0.link?.target.text } == ["https://shop.example/buy", nil])
        #expect(message.actions.first?.link?.isDeepLink == true)
        #expect(message.badge == 2)
        #expect(message.sound == "default")
        #expect(message.category == "offers")
        #expect(message.contentAvailable)
        #expect(message.custom.map(\.key) == ["a", "k"], "in order of key")
        #expect(message.custom.map(\.value) == ["", "v"])
        #expect(!message.tracking)
        #expect(try message.purposes == MessagePurposes(both: Purpose("mail")))
        #expect(message.expiresAt == Timestamp(secondsSince1970: 1_796_083_200))
    }

    @Test(
        "null is as good as absent",
        arguments: [
            "title", "body", "imageUrl", "link", "deepLink", "actions", "badge", "sound", "category",
            "contentAvailable",
            "custom", "tracking", "purpose", "expiresAt", "tags", "linkLabel",
        ]
    )
    func null(_ member: String) throws {
        #expect(try read(#"{"name":"news","\#(member)":null}"#) == Message(name: "news"))
    }

    @Test("what does not fit is pointed at", arguments: misfits)
    func refused(_ json: String, _ pointers: [String]) {
        #expect(problems(json) == pointers)
    }

    @Test("everything that does not fit is named at once")
    func together() {
        let found = problems(#"{"title":1,"link":"javascript:alert(1)","traking":false,"actions":[{"id":""}]}"#)
        #expect(Set(found) == ["/name", "/title", "/link", "/traking", "/actions/0/id", "/actions/0/title"])
    }

    @Test("a target is held to the organization's rules, an image may come from anywhere")
    func rules() throws {
        let shop = [try TargetHostPattern("shop.example")]
        #expect(problems(#"{"name":"n","link":"https://evil.example/"}"#, hosts: shop) == ["/link"])
        #expect(problems(#"{"name":"n","link":"https://links.example/r/x"}"#) == ["/link"])
        #expect(
            problems(#"{"name":"n","actions":[{"id":"a","title":"A","link":"https://evil.example/"}]}"#, hosts: shop)
                == ["/actions/0/link"])
        #expect(problems(#"{"name":"n","link":"shop://open"}"#, hosts: shop) == [], "an app has no host")
        let image = try read(
            #"{"name":"n","imageUrl":"https://cdn.example/i.png","link":"https://shop.example/"}"#, hosts: shop)
        #expect(image.imageURL?.text == "https://cdn.example/i.png")
    }

    @Test("no problem repeats what was given")
    func discreet() throws {
        for json in [
            #"{"name":"n","link":"https://ana:secret@shop.example/"}"#, #"{"name":"n","purpose":"SECRET secret"}"#,
            #"{"name":"n","expiresAt":"secret"}"#, #"{"name":"n","badge":"secret"}"#,
        ] {
            let error = #expect(throws: BodyProblems.self) { try read(json) }
            #expect(error?.problems.contains { $0.detail.lowercased().contains("secret") } == false)
        }
    }

    @Test(
        "the ends of every range are taken",
        arguments: [
            #"{"name":"a"}"#, #"{"name":"\#(filler(256))"}"#, #"{"name":"n","title":""}"#,
            #"{"name":"n","title":"\#(filler(65_536))"}"#, #"{"name":"n","body":"\#(filler(65_536))"}"#,
            #"{"name":"n","badge":0}"#, #"{"name":"n","badge":2147483647}"#, #"{"name":"n","sound":"\#(filler(256))"}"#,
            #"{"name":"n","category":"\#(filler(256))"}"#, #"{"name":"n","custom":{}}"#,
            #"{"name":"n","custom":{"k":"\#(filler(65_536))"}}"#, #"{"name":"n","actions":[]}"#,
            #"{"name":"n","actions":[\#(actions(32))]}"#,
            #"{"name":"n","actions":[{"id":"\#(filler(255))","title":"\#(filler(1024))"}]}"#,
            #"{"name":"n","tags":[]}"#, #"{"name":"n","tags":[\#(tags(16))]}"#,
            #"{"name":"n","tags":["\#(filler(64))"]}"#, #"{"name":"n","tags":["a","A","\u00e9","e\u0301"]}"#,
            #"{"name":"n","link":"https://shop.example/","linkLabel":"\#(filler(128))"}"#,
            #"{"name":"n","actions":[{"id":"a","title":"A","link":"https://shop.example/","label":"\#(filler(128))"}]}"#,
            #"{"name":"n","expiresAt":"2026-12-01T00:00:00+01:00"}"#, #"{"name":"n","title":"a\nb\tc"}"#,
        ]
    )
    func bounds(_ json: String) {
        #expect(problems(json) == [])
    }

    static func filler(_ count: Int) -> String { String(repeating: "a", count: count) }
    static func actions(_ count: Int) -> String {
        (0..<count).map { #"{"id":"\#($0)","title":"T"}"# }.joined(separator: ",")
    }

    static func tags(_ count: Int) -> String { (0..<count).map { #""t\#($0)""# }.joined(separator: ",") }

    static let misfits: [(String, [String])] = [
        ("null", [""]), ("[]", [""]), (#""news""#, [""]), ("{}", ["/name"]),
        (#"{"name":null}"#, ["/name"]), (#"{"name":""}"#, ["/name"]), (#"{"name":1}"#, ["/name"]),
        (#"{"name":"\#(filler(257))"}"#, ["/name"]), (#"{"name":"a\nb"}"#, ["/name"]),
        (#"{"name":"a\u0085b"}"#, ["/name"]),
        // A misspelt member must not track; a member of another case is a misspelt one.
        (#"{"name":"n","traking":false}"#, ["/traking"]), (#"{"name":"n","Tracking":false}"#, ["/Tracking"]),
        (#"{"name":"n","mailLinks":[]}"#, ["/mailLinks"]), (#"{"name":"n","":1}"#, ["/"]),
        (#"{"name":"n","a/b":1}"#, ["/a~1b"]),
        (#"{"name":"n","tracking":"false"}"#, ["/tracking"]), (#"{"name":"n","tracking":0}"#, ["/tracking"]),
        (#"{"name":"n","title":1}"#, ["/title"]), (#"{"name":"n","title":"a\u0000"}"#, ["/title"]),
        (#"{"name":"n","title":"\#(filler(65_537))"}"#, ["/title"]),
        (#"{"name":"n","body":"\#(filler(65_537))"}"#, ["/body"]),
        (#"{"name":"n","body":["B"]}"#, ["/body"]),
        (#"{"name":"n","imageUrl":"shop://i.png"}"#, ["/imageUrl"]),
        (#"{"name":"n","imageUrl":"i.png"}"#, ["/imageUrl"]),
        (#"{"name":"n","link":""}"#, ["/link"]), (#"{"name":"n","link":"/relative"}"#, ["/link"]),
        (#"{"name":"n","link":"JavaScript:alert(1)"}"#, ["/link"]), (#"{"name":"n","link":{}}"#, ["/link"]),
        (#"{"name":"n","link":"https://shop.example/\#(filler(2028))"}"#, ["/link"]),
        (#"{"name":"n","deepLink":1}"#, ["/deepLink"]),
        (#"{"name":"n","badge":-1}"#, ["/badge"]), (#"{"name":"n","badge":2147483648}"#, ["/badge"]),
        (#"{"name":"n","badge":1.0}"#, ["/badge"]), (#"{"name":"n","badge":"2"}"#, ["/badge"]),
        (#"{"name":"n","sound":""}"#, ["/sound"]), (#"{"name":"n","sound":"\#(filler(257))"}"#, ["/sound"]),
        (#"{"name":"n","sound":"a\u0007"}"#, ["/sound"]), (#"{"name":"n","category":""}"#, ["/category"]),
        (#"{"name":"n","contentAvailable":1}"#, ["/contentAvailable"]),
        (#"{"name":"n","custom":{"k":1}}"#, ["/custom/k"]), (#"{"name":"n","custom":{"k":null}}"#, ["/custom/k"]),
        (#"{"name":"n","custom":["k"]}"#, ["/custom"]), (#"{"name":"n","custom":{"a~/b":{}}}"#, ["/custom/a~0~1b"]),
        (#"{"name":"n","custom":{"link\u0000":"v"}}"#, ["/custom/link\u{0}"]),
        (#"{"name":"n","tags":"vip"}"#, ["/tags"]), (#"{"name":"n","tags":[\#(tags(17))]}"#, ["/tags"]),
        (#"{"name":"n","tags":["a","b","a"]}"#, ["/tags"]), (#"{"name":"n","tags":["a",""]}"#, ["/tags/1"]),
        (#"{"name":"n","tags":["\#(filler(65))",1]}"#, ["/tags/0", "/tags/1"]),
        (#"{"name":"n","tags":["a\u0085b"]}"#, ["/tags/0"]), (#"{"name":"n","tags":[null]}"#, ["/tags/0"]),
        (#"{"name":"n","linkLabel":"no link"}"#, ["/linkLabel"]),
        (#"{"name":"n","link":"https://shop.example/","linkLabel":""}"#, ["/linkLabel"]),
        (#"{"name":"n","link":"https://shop.example/","linkLabel":"\#(filler(129))"}"#, ["/linkLabel"]),
        (#"{"name":"n","link":"https://shop.example/","linkLabel":"a\n"}"#, ["/linkLabel"]),
        (#"{"name":"n","link":"https://shop.example/","label":"a"}"#, ["/label"]),
        (#"{"name":"n","actions":[{"id":"a","title":"A","label":"no link"}]}"#, ["/actions/0/label"]),
        (#"{"name":"n","actions":[{"id":"a","title":"A","label":""}]}"#, ["/actions/0/label"]),
        (#"{"name":"n","actions":[{"id":"a","title":"A","label":"\#(filler(129))"}]}"#, ["/actions/0/label"]),
        (#"{"name":"n","purpose":"Mail"}"#, ["/purpose"]),
        (#"{"name":"n","purpose":"mail","purposes":{}}"#, ["/purposes"]),
        (
            #"{"name":"n","purposes":{"clicks":"Mail","opens":"","x":"y"}}"#,
            ["/purposes/clicks", "/purposes/opens", "/purposes/x"]
        ),
        (#"{"name":"n","purposes":"mail"}"#, ["/purposes"]), (#"{"name":"n","purpose":""}"#, ["/purpose"]),
        (#"{"name":"n","expiresAt":"2026-12-01"}"#, ["/expiresAt"]),
        (#"{"name":"n","expiresAt":1796083200}"#, ["/expiresAt"]),
        (#"{"name":"n","actions":{}}"#, ["/actions"]), (#"{"name":"n","actions":[\#(actions(33))]}"#, ["/actions"]),
        (#"{"name":"n","actions":[{}]}"#, ["/actions/0/id", "/actions/0/title"]),
        (#"{"name":"n","actions":[{"id":"a","title":"A"},{"id":"b","title":""}]}"#, ["/actions/1/title"]),
        (#"{"name":"n","actions":[{"id":"a","title":"A","url":"https://shop.example/"}]}"#, ["/actions/0/url"]),
        (#"{"name":"n","actions":[{"id":"\#(filler(256))","title":"A"}]}"#, ["/actions/0/id"]),
        (#"{"name":"n","actions":[{"id":"a","title":"\#(filler(1025))"}]}"#, ["/actions/0/title"]),
        (#"{"name":"n","actions":[{"id":"a","title":"A"},{"id":"a","title":"B"}]}"#, ["/actions"]),
        (
            #"{"name":"n","actions":[{"id":"a","title":"A"},{"id":"b","title":"B"},{"id":"a","title":"C"}]}"#,
            ["/actions"]
        ),
    ]

    @Test("two buttons whose ids only look alike are two buttons")
    func lookAlikes() throws {
        let message = try read(
            #"{"name":"n","actions":[{"id":"\u00e9","title":"A"},{"id":"e\u0301","title":"B"}]}"#)
        #expect(message.actions.count == 2)
    }
}
