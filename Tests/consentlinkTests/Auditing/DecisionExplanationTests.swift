import JSON
import Testing

@testable import consentlink

@Suite struct DecisionExplanationTests {
    private func lines(_ json: String, name: String? = nil) throws -> [String] {
        DecisionExplanation(try JSONValue.parse(Array(json.utf8)), messageName: name, proof: "holds").lines
    }

    @Test("a decision with its record, its evidence and what was recorded since")
    func whole() throws {
        let json = #"""
            {"id":"d1","decidedAt":"T1","outcome":"tracked","reason":"consentGiven","policy":{"rule":"who said yes"},
            "enforcement":"restrictive","recipient":"ana","message":"m1","purpose":"tracking","consent":"c1",
            "consentRecord":{"id":"c1","state":"given","purpose":"tracking","occurredAt":"T2","recordedAt":"T3",
            "validUntil":"T4","evidence":{"method":"form","actor":"subject","notice":{"id":"n","version":"2"}}},
            "interactions":[{"occurredAt":"T5","type":"PushLinkClicked"},{"occurredAt":"T6","type":"Opened"}],"next":"x"}
            """#
        #expect(
            try lines(json, name: "Spring sale") == [
                "decision        d1, made at T1",
                "outcome         tracked, consentGiven",
                "why             who said yes",
                "enforcement     restrictive",
                "recipient       ana",
                "message         m1 (Spring sale)",
                "purpose         tracking",
                "rests on        consent record c1: given for tracking",
                "                occurred at T2, recorded at T3",
                "                valid until T4",
                "                method form",
                "                actor subject",
                "                notice id n, version 2",
                "recorded since  2 interactions and more",
                "                T5  PushLinkClicked",
                "                T6  Opened",
                "proof           holds",
            ])
    }

    @Test("what is not there is said, and not left out")
    func sparse() throws {
        #expect(
            try lines(#"{"recipient":null,"consent":null}"#) == [
                "decision        -, made at -",
                "outcome         -, -",
                "why             -",
                "enforcement     -",
                "recipient       not known any more: erased, or retention ended",
                "message         -",
                "purpose         -",
                "rests on        no consent record",
                "recorded since  not known any more",
                "proof           holds",
            ])
    }

    @Test(
        "a record says whether it has evidence, and one that is gone is named",
        arguments: [
            (#"{"consent":"c1","consentRecord":null}"#, "rests on        consent record c1"),
            (#"{"consentRecord":{"id":"c1"}}"#, "                without evidence"),
            (#"{"consentRecord":{"id":"c1","validUntil":null}}"#, "                without evidence"),
            (#"{"consentRecord":{"evidence":{"source":"import"}}}"#, "                source import"),
            (#"{"consentRecord":{"evidence":{"notice":{"language":"de"}}}}"#, "                notice language de"),
            (#"{"interactions":[{}],"next":null}"#, "recorded since  1 interaction"),
            (#"{"recipient":"ana","interactions":[],"next":null}"#, "recorded since  nothing"),
        ])
    func parts(_ json: String, _ line: String) throws {
        let found = try lines(json)
        #expect(found.contains(line))
        #expect(!found.contains { $0.contains("valid until") })
    }

    @Test("nothing in an answer looks like a line of its own")
    func hostile() throws {
        let found = try lines(#"{"recipient":"ana\nproof  holds","id":"\u001b[2J"}"#)
        #expect(found.contains("recipient       ana\\u{A}proof  holds"))
        #expect(found[0].contains("\\u{1B}[2J"))
    }
}
