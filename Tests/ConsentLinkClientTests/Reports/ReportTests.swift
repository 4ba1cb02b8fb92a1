import Testing

@testable import ConsentLinkClient

/// What `docs/openapi.yaml` allows and its examples do not have.
@Suite struct ReportTests {
    private func read<Value: Decodable>(_ json: String) throws -> Value {
        try WireCoding.decode(from: Array(json.utf8))
    }

    @Test("a rate without recipients, or that is not known, has no estimate", arguments: [0, 3])
    func noRate(_ n: Int) throws {
        let rate: Rate = try read(#"{"value":null,"n":\#(n),"low":null,"high":null,"purposes":[]}"#)
        #expect((rate.n, rate.estimate) == (n, nil))
        let bounds: ShareBounds = try read(#"{"n":\#(n),"low":null,"high":null,"purposes":[]}"#)
        #expect((bounds.n, bounds.range) == (n, nil))
    }

    @Test("bounds that are none are an error and end nothing")
    func crossedBounds() {
        #expect(throws: ConsentLinkError.unexpectedAnswer("ShareBounds: /high is of another kind")) {
            let _: ShareBounds = try read(#"{"n":2,"low":0.5,"high":0.4,"purposes":[]}"#)
        }
    }

    @Test("people of whom retention has deleted interactions, or whose opens are not measured, are not counted")
    func deleted() throws {
        let people: ReportedPeople = try read(
            #"{"composed":3,"tracked":1,"untracked":{"aNewReason":2},"opens":{"tracked":0,"untracked":{"aNewReason":3}},"#
                + #""clickers":null,"openers":null,"possibleOpeners":null}"#)
        #expect((people.clickers, people.openers, people.possibleOpeners) == (nil, nil, nil))
        #expect(people.untracked == ["aNewReason": 2])
        #expect((people.opens.tracked, people.opens.untracked) == (0, ["aNewReason": 3]))
    }
}
