import Testing

@testable import ConsentLinkClient

/// Answers with more values than a request may have.
@Suite struct LargeAnswerTests {
    /// An array of 2^20 + 1 values, and itself.
    private static let values = "[0" + String(repeating: ",0", count: 1 << 20) + "]"

    private static func line(_ id: String) -> [UInt8] {
        Array(
            (#"{"recipient":"ana","tracked":true,"decision":{"id":\#(id),"outcome":"tracked","#
                + #""reason":"consentGiven"},"payload":\#(values)}"#).utf8)
    }

    private static func answer(_ line: [UInt8]) -> [UInt8] {
        Array(#"{"message":"m","payloads":["#.utf8) + line + Array("]}".utf8)
    }

    private static func isWhole(_ document: JSONDocument?) -> Bool { document?.bytes == Array(values.utf8) }

    @Test("they are read, however they come")
    func read() throws {
        let composed = try ComposedPayloads(parsing: Self.answer(Self.line(#""d1""#)))
        #expect(Self.isWhole(composed.payloads.first?.payload))
        let previewed = try PreviewedPayloads(parsing: Self.answer(Self.line("null")))
        #expect(Self.isWhole(previewed.payloads.first?.payload))
        #expect(Self.isWhole(try JSONDocument(parsing: Array(Self.values.utf8))))
    }
}
