import Identifiers
import TestSupport
import Testing

@testable import Ledger

@Suite("A line of an export's interactions")
struct InteractionLineTests {
    @Test("is read in every form that the list writes")
    func forms() throws {
        let links = ["null", #"{"index":0,"url":"https://example.com/?a=\"","label":null}"#]
        for link in links + [#"{"index":16,"url":"https://example.com/","label":"é"}"#] {
            for recipient in ["null", #""ana@example.com""#, #""\"\\é""#] {
                let read = try #require(parse(line(recipient: recipient, link: link)))
                #expect(read.message.description == "3357d7d9f4000002")
            }
        }
    }

    @Test("says what caused it, or is of a version that did not")
    func visitors() {
        let visitor = #","visitor":"cannotTell","visitorReason":"gmailImageProxy"}"#
        let whole = line().dropLast() + visitor
        #expect(parse(String(whole)) != nil)
        let (begin, end) = (line().utf8.count, whole.utf8.count)
        for length in begin..<end { #expect(parse(String(whole.prefix(length))) == nil) }
        for other in [
            #","visitor":"cannotTell"}"#, #","visitorReason":"gmailImageProxy"}"#,
            #","visitor":null,"visitorReason":null}"#,
            #","visitor":"","visitorReason":"a"}"#, #","visitor":"a","visitorReason":"a b"}"#,
            #","visitorReason":"gmailImageProxy","visitor":"cannotTell"}"#, visitor.dropLast() + #","more":1}"#,
        ] {
            #expect(parse(line().dropLast() + other) == nil, "\(other)")
        }
    }

    @Test("cut off anywhere is none")
    func cut() {
        let whole = Array(line().utf8)
        for length in 0..<whole.count { #expect(parse(String(decoding: whole[..<length], as: UTF8.self)) == nil) }
        #expect(parse(line() + " ") == nil)
    }

    @Test("with a member of another kind, another order or another spelling is none")
    func refused() {
        for (part, other) in [
            (#""id":"3357d7d9f6000001""#, #""id":"g""#), (#""type":"PushLinkClicked""#, #""type":"Push\u001b""#),
            (#""type":"PushLinkClicked""#, #""type":"""#), (#""source":"redirect""#, #""source":"a b""#),
            (#""occurredAt":"2026-11-22T12:00:00.000Z""#, #""occurredAt":"2026-11-22""#),
            (#""recordedAt":"2026-11-22T12:00:00.000Z""#, #""recordedAt":null"#),
            (#""recipient":null"#, #""recipient":"""#), (#""recipient":null"#, #""recipient":0"#),
            (#""message":"3357d7d9f4000002""#, #""message":null"#), (#""link":null"#, #""link":{}"#),
            (#""link":null"#, #""link":{"index":-1,"url":"u","label":null}"#),
            (#""link":null"#, #""link":{"index":1,"url":null,"label":null}"#),
            (#""automated":false"#, #""automated":0"#), (#""first":true"#, #""first":"true""#),
            (#""first":true"#, #""first":true,"more":1"#), (#"{"id""#, #"{ "id""#),
        ] {
            let text = line().replacing(part, with: other)
            #expect(text != line(), "\(part) does not stand there")
            #expect(parse(text) == nil, "\(text)")
        }
    }

    private func line(recipient: String = "null", link: String = "null") -> String {
        let instant = Timestamp.noon.rfc3339
        return
            #"{"id":"3357d7d9f6000001","type":"PushLinkClicked","occurredAt":"\#(instant)","recordedAt":"\#(instant)","#
            + #""recipient":\#(recipient),"message":"3357d7d9f4000002","link":\#(link),"action":null,"#
            + #""source":"redirect","automated":false,"first":true}"#
    }

    private func parse(_ line: String) -> InteractionLine? {
        var instants = TimestampReader()
        return InteractionLine(Array(line.utf8)[...], &instants)
    }
}
