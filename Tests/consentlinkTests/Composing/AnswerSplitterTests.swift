import ConsentLinkClient
import TestSupport
import Testing

@testable import consentlink

/// Answers as the service gives them.
enum Answers {
    static func payload(_ recipient: String, tracked: Bool = true) -> String {
        #"{"recipient":"\#(recipient)","tracked":\#(tracked),"decision":{"id":"1"},"payload":{}}"#
    }

    static func refusal(_ status: Int, _ detail: String = "no recipient") -> String {
        #"{"error":{"title":"t","status":\#(status),"detail":"\#(detail)"}}"#
    }
}

@Suite struct AnswerSplitterTests {
    private func read(
        _ text: String, by length: Int = .max, into splitter: inout AnswerSplitter
    ) throws -> AnswerSplitter.Cut {
        var whole = AnswerSplitter.Cut()
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty, !whole.mustStop {
            let cut = try Array(rest.prefix(length)).withUnsafeBytes { try splitter.read($0) }
            whole.bytes += cut.bytes
            whole.count += cut.count
            whole.mustStop = cut.mustStop
            rest = rest.dropFirst(length)
        }
        return whole
    }

    @Test("whole lines are counted and handed on, the rest waits", arguments: [1, 2, 7, 64, .max])
    func lines(_ length: Int) throws {
        var splitter = AnswerSplitter()
        let answers = [Answers.payload("ana"), Answers.refusal(422), Answers.payload("bo", tracked: false)]
        let text = answers.joined(separator: "\n") + "\n"
        let cut = try read(text + "{\"rec", by: length, into: &splitter)
        #expect(String(decoding: cut.bytes, as: UTF8.self) == text)
        #expect((cut.count, cut.mustStop) == (3, false))
        let counts = splitter.counts
        #expect((counts.lines, counts.tracked, counts.refused, counts.payloads) == (3, 1, 1, 2))
        #expect(splitter.restCount == 5)
        splitter.dropRest()
        #expect(splitter.restCount == 0)
        _ = try read(Answers.payload("cy") + "\n", into: &splitter)
        #expect(splitter.counts.lines == 4, "the beginning of the lost line is not put before it")
    }

    @Test("a line that must be sent again ends everything, and nothing behind it counts", arguments: [1, 9, .max])
    func stop(_ length: Int) throws {
        var splitter = AnswerSplitter()
        let text = [Answers.payload("ana"), Answers.refusal(503), Answers.payload("bo")].joined(separator: "\n") + "\n"
        let cut = try read(text, by: length, into: &splitter)
        #expect(cut.mustStop)
        #expect(String(decoding: cut.bytes, as: UTF8.self) == Answers.payload("ana") + "\n")
        #expect((cut.count, splitter.counts.lines, splitter.counts.refused) == (1, 1, 0))
    }

    @Test("the last payload is kept with its line while it is wanted")
    func lastPayload() throws {
        var splitter = AnswerSplitter()
        _ = try read(Answers.payload("ana") + "\n", into: &splitter)
        #expect(splitter.lastPayload == nil)
        splitter.keepsLastPayload = true
        _ = try read(Answers.payload("bo") + "\n" + Answers.refusal(422) + "\n", by: 3, into: &splitter)
        let last = try #require(splitter.lastPayload)
        #expect(last.line == 2)
        #expect(String(decoding: last.bytes, as: UTF8.self) == Answers.payload("bo"))
    }

    @Test("a line that does not end is given up")
    func endless() throws {
        var splitter = AnswerSplitter()
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        var count = 0
        #expect(throws: LineSplitter.LineTooLong.self) {
            while count < 200 {
                _ = try piece.withUnsafeBytes { try splitter.read($0) }
                count += 1
            }
        }
        #expect(count == 128)
    }
}

@Suite struct AnswerCountsTests {
    private func counts(_ lines: [String]) -> (AnswerCounts, [AnswerCounts.Verdict]) {
        var counts = AnswerCounts()
        let verdicts = lines.map { line in counts.add(Array(line.utf8)[...]) }
        return (counts, verdicts)
    }

    @Test(
        "tracked is what stands behind the recipient, and nothing that stands in it or in a payload",
        arguments: [
            (Answers.payload("ana"), 1), (Answers.payload("ana", tracked: false), 0),
            (Answers.payload(#"a\"b"#), 1), (Answers.payload(#"a\\"#), 1),
            (Answers.payload(#"\",\"tracked\":true,"#, tracked: false), 0),
            (Answers.payload("ana", tracked: false).replacing("{}", with: #"{"tracked":true}"#), 0),
            (#"{"recipient":null,"tracked":true,"x":1}"#, 0), (#"{"recipient":"ana","#, 0), (#"{"recipient":"ana\"#, 0),
            ("", 0), ("nonsense", 0),
        ])
    func tracked(_ line: String, _ count: Int) {
        let (counts, _) = counts([line])
        #expect((counts.lines, counts.tracked, counts.refused) == (1, count, 0))
    }

    @Test("of the refusals the first ten are kept, with the line, the status and what is said")
    func refusals() {
        let lines = (1...12).map { Answers.refusal(422, "detail \($0)") }
        let (counts, _) = counts([Answers.payload("ana")] + lines)
        #expect((counts.lines, counts.refused, counts.payloads) == (13, 12, 1))
        #expect(counts.refusals.map(\.line) == Array(2...11))
        #expect(counts.refusals.map(\.detail) == (1...10).map { "detail \($0)" })
        #expect(Set(counts.refusals.map(\.status)) == [422])
    }

    @Test(
        "a refusal says what can be known of it",
        arguments: [
            (#"{"error":{"status":413}}"#, 413, "was refused"), (#"{"error":{}}"#, 0, "was refused"),
            (#"{"error":"x"}"#, 0, "was refused"), (#"{"error"broken"#, 0, "was refused"),
            (#"{"error":{"status":422,"detail":"a\u001bb"}}"#, 422, "a\\u{1B}b"),
        ])
    func sparse(_ line: String, _ status: Int, _ detail: String) throws {
        let (counts, _) = counts([line])
        let refusal = try #require(counts.refusals.first)
        #expect((refusal.line, refusal.status, refusal.detail) == (1, status, detail))
    }

    @Test("what could not be stored just then counts as nothing")
    func unavailable() {
        let (counts, verdicts) = counts([Answers.refusal(503)])
        #expect((counts.lines, counts.refused, counts.refusals.count) == (0, 0, 0))
        guard case .mustBeSentAgain? = verdicts.first else {
            Issue.record("\(verdicts)")
            return
        }
    }
}

@Suite struct ResumeFilterTests {
    private func splitter(_ answers: [String]) throws -> AnswerSplitter {
        var splitter = AnswerSplitter()
        splitter.keepsLastPayload = true
        _ = try Array(answers.map { $0 + "\n" }.joined().utf8).withUnsafeBytes { try splitter.read($0) }
        return splitter
    }

    private func batch(_ recipients: [String]) -> LineBatch {
        var batch = LineBatch()
        for recipient in recipients { batch.appendLine { $0 += Array("\"\(recipient)\"".utf8) } }
        return batch
    }

    private func rest(_ answers: [String], _ batches: [[String]]) throws -> String {
        var before = ResumeFilter(try splitter(answers))
        var rest = LineBatch()
        for recipients in batches { rest.append(try before.drop(from: batch(recipients))) }
        try before.requireAll()
        return String(decoding: rest.bytes, as: UTF8.self)
    }

    @Test(
        "what was answered is left out, however the recipients come",
        arguments: [
            [["ana", "bo", "cy", "di"]], [["ana"], ["bo"], ["cy"], ["di"]], [["ana", "bo"], [], ["cy", "di"]],
            [["ana", "bo", "cy"], ["di"]],
        ])
    func dropped(_ batches: [[String]]) throws {
        let answers = [Answers.payload("ana"), Answers.payload("bo"), Answers.refusal(422)]
        #expect(try rest(answers, batches) == "\"di\"\n")
        #expect(try rest([], [["ana", "bo"]]) == "\"ana\"\n\"bo\"\n")
    }

    @Test("another recipient at the line of the last payload is noticed, whichever batch it is in")
    func others() throws {
        let answers = [Answers.payload("ana"), Answers.payload("bo"), Answers.refusal(422)]
        for batches in [[["ana", "eve", "cy"]], [["ana"], ["eve"], ["cy"]], [["ana", "eve"], ["cy"]]] {
            let failure = try #require(throws: CommandFailure.self) { try rest(answers, batches) }
            #expect(
                failure.description.contains("line 2 of the recipients is not the recipient that was answered there"))
            #expect(!failure.description.contains("eve"), "nobody is named")
        }
    }

    @Test("another recipient at any other line is noticed, before what is behind is handed on")
    func othersBefore() throws {
        let answers = [Answers.payload("ana"), Answers.payload("bo"), Answers.refusal(422), Answers.payload("cy")]
        for batches in [[["eve", "bo", "x", "cy", "di"]], [["bo"], ["ana", "x"], ["cy", "di"]]] {
            let failure = try #require(throws: CommandFailure.self) { try rest(answers, batches) }
            #expect(failure.description.contains("the first 4 recipients are not those who were answered"))
        }
        #expect(try rest(answers, [["ana", "bo", "another refused one", "cy", "di"]]) == "\"di\"\n")
    }

    @Test("one recipient is the same however its JSON is written")
    func spelling() throws {
        let answers = [#"{"recipient":"a\"ü","tracked":true}"#, Answers.payload("bo")]
        var filter = ResumeFilter(try splitter(answers))
        var batch = LineBatch()
        for line in [#"  "a\u0022\u00fc" "#, #""b\u006f""#] { batch.appendLine { $0 += Array(line.utf8) } }
        #expect(try filter.drop(from: batch).isEmpty)
        try filter.requireAll()
    }

    @Test("fewer recipients than answers are noticed")
    func fewer() throws {
        let failure = try #require(throws: CommandFailure.self) {
            try rest([Answers.payload("ana"), Answers.refusal(422)], [["ana"]])
        }
        #expect(failure.description.contains("2 lines were answered, and there are 1 recipients"))
    }
}
