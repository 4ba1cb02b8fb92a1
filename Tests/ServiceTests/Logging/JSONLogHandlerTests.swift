import JSON
import Logging
import Testing

@testable import Service

@Suite struct JSONLogHandlerTests {
    @Test("the library's name for a request's id is not ours")
    func request() throws {
        var handler = JSONLogHandler(label: "consentlink", logLevel: .info)
        handler[metadataKey: "hb.request.id"] = "7"
        let line = handler.line(
            of: LogEvent(
                level: .info, message: "hello", metadata: ["more": "x"], source: "Tests", file: "", function: "",
                line: 0))
        let text = String(decoding: line, as: UTF8.self)
        #expect(text.hasSuffix(#""message":"hello","logger":"consentlink","request":"7","more":"x"}"# + "\n"))
    }
}
