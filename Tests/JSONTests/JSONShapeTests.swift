import JSON
import Testing

@Suite struct JSONShapeTests {
    @Test("a body that fits becomes its value")
    func fits() throws {
        let text = #"""
            {"name":"spring-sale","purpose":"tracking","kind":"mail","badge":2,"tracking":false,
             "actions":[{"id":"a","title":"A"},{"id":"b"}],"custom":{"k":"v","":"w"},"extra":[1]}
            """#
        let sale = try Sale.shape.read(JSONValue.parse(text))
        #expect(
            sale
                == Sale(
                    name: "spring-sale",
                    purpose: Tag(text: "tracking"),
                    kind: .mail,
                    badge: 2,
                    tracking: false,
                    actions: [Action(id: "a", title: "A"), Action(id: "b", title: nil)],
                    custom: ["k=v", "=w"],
                    extra: .array([.integer(1)])
                )
        )
    }

    @Test("absent and null members take their defaults")
    func defaults() throws {
        let least = Sale(
            name: "n",
            purpose: Tag(text: "tracking"),
            kind: .push,
            badge: nil,
            tracking: true,
            actions: [],
            custom: [],
            extra: nil
        )
        let nulls = #"""
            {"name":"n","kind":"push",
             "purpose":null,"badge":null,"tracking":null,"actions":null,"custom":null,"extra":null}
            """#
        #expect(try Sale.shape.read(JSONValue.parse(#"{"kind":"push","name":"n"}"#)) == least)
        #expect(try Sale.shape.read(JSONValue.parse(nulls)) == least)
    }

    @Test("whatever does not fit is named", arguments: misfits)
    func misfit(_ text: String, _ expected: [String]) throws {
        let value = try JSONValue.parse(text)
        let error = #expect(throws: BodyProblems.self) { try Sale.shape.read(value) }
        #expect(error?.problems.map { "\($0.pointer): \($0.detail)" } == expected)
        for problem in error?.problems ?? [] { #expect(!problem.detail.contains("secret")) }
    }

    static let misfits: [(String, [String])] = [
        ("null", [": must be an object"]),
        ("[]", [": must be an object"]),
        ("{}", ["/name: is required", "/kind: is required"]),
        (#"{"name":null,"kind":"push"}"#, ["/name: must be a string"]),
        (#"{"name":"n","kind":"secret"}"#, ["/kind: must be one of push, mail"]),
        (#"{"name":"n","kind":"Push"}"#, ["/kind: must be one of push, mail"]),
        (#"{"name":"n","kind":1}"#, ["/kind: must be one of push, mail"]),
        (#"{"name":"n","kind":"push","purpose":"SECRET secret"}"#, ["/purpose: must be lower case"]),
        (#"{"name":"n","kind":"push","badge":100}"#, ["/badge: must be an integer from 0 to 99"]),
        (#"{"name":"n","kind":"push","badge":-1}"#, ["/badge: must be an integer from 0 to 99"]),
        (#"{"name":"n","kind":"push","badge":2.0}"#, ["/badge: must be an integer from 0 to 99"]),
        (#"{"name":"n","kind":"push","badge":"2"}"#, ["/badge: must be an integer from 0 to 99"]),
        (#"{"name":"n","kind":"push","badge":99999999999999999999}"#, ["/badge: must be an integer from 0 to 99"]),
        (#"{"name":"n","kind":"push","tracking":"secret"}"#, ["/tracking: must be true or false"]),
        (#"{"name":"n","kind":"push","tracking":0}"#, ["/tracking: must be true or false"]),
        (#"{"name":"n","kind":"push","trakcing":false}"#, ["/trakcing: unknown member"]),
        (#"{"name":"n","kind":"push","Name":"n","a/b":1}"#, ["/Name: unknown member", "/a~1b: unknown member"]),
        (#"{"name":"n","kind":"push","actions":{}}"#, ["/actions: must be an array"]),
        (
            #"{"name":"n","kind":"push","actions":[{"id":"a"},{"id":"b"},{"id":"c"},{"id":"d"}]}"#,
            ["/actions: must have at most 3 elements"]
        ),
        (
            #"{"name":"n","kind":"push","actions":[{"id":1},7,{"id":"c","x":null}]}"#,
            ["/actions/0/id: must be a string", "/actions/1: must be an object", "/actions/2/x: unknown member"]
        ),
        (
            #"{"name":"n","kind":"push","custom":{"a":1,"b":"c","~":null}}"#,
            ["/custom/a: must be a string", "/custom/~0: must be a string"]
        ),
        (#"{"name":"forbidden","kind":"mail"}"#, ["/name: must not be that with mail"]),
        (
            #"{"who":1,"badge":"secret","kind":"secret","actions":[{}],"name":7}"#,
            [
                "/name: must be a string", "/kind: must be one of push, mail",
                "/badge: must be an integer from 0 to 99", "/actions/0/id: is required", "/who: unknown member",
            ]
        ),
    ]

    @Test("unknown members are refused even when finishing is forgotten")
    func forgotten() throws {
        let shape = JSONShape<String?>.object { fields in fields.optional("a", .string) }
        #expect(try shape.read(JSONValue.parse(#"{"a":"x"}"#)) == "x")
        let value = try JSONValue.parse(#"{"a":1,"b":2}"#)
        let error = #expect(throws: BodyProblems.self) { try shape.read(value) }
        #expect(error?.problems.map(\.pointer.description) == ["/a", "/b"])
    }

    @Test("an old sender's members may be ignored, misfits may not")
    func ignoringUnknownMembers() throws {
        let shape = JSONShape<String>.object { fields throws(BodyProblems) in
            let status = fields.required("Status", .string)
            fields.ignoreUnknownMembers()
            try fields.finish()
            return try status.get()
        }
        #expect(try shape.read(JSONValue.parse(#"{"Token":"x","Status":"Opened"}"#)) == "Opened")
        let value = try JSONValue.parse(#"{"Token":"x","Status":1}"#)
        #expect(throws: BodyProblems(.root.appending("Status"), "must be a string")) { try shape.read(value) }
    }

    @Test("how many elements an array needs is said", arguments: [(1...2, "1 to 2"), (2...Int.max, "at least 2")])
    func counts(_ count: ClosedRange<Int>, _ phrase: String) {
        #expect(throws: BodyProblems(.root.appending("x"), "must have \(phrase) elements")) {
            try JSONShape.array(of: .any, count: count).read(.array([]), at: .root.appending("x"))
        }
    }

    @Test("the greatest integers of a type can be asked for")
    func wideIntegers() throws {
        #expect(try JSONShape.integer(in: 0...UInt64.max).read(.integer(UInt64.max)) == .max)
        #expect(try JSONShape.integer(in: Int64.min...0).read(.integer(Int64.min)) == .min)
        #expect(throws: BodyProblems.self) { try JSONShape.integer(in: 0...UInt64.max).read(.integer(-1)) }
    }
}
