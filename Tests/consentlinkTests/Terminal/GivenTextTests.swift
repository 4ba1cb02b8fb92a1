import Testing

@testable import consentlink

@Suite struct GivenTextTests {
    private static let broken: [UInt8] = [UInt8(ascii: "a"), 0xFF, UInt8(ascii: "\n")]

    @Test("an argument or a setting that is not UTF-8 is named")
    func faults() {
        let name = ("CONSENTLINK_DATA", Array("größe".utf8))
        #expect(GivenText.fault(arguments: [], variables: []) == nil)
        #expect(GivenText.fault(arguments: [Self.broken, Array("\u{FFFD}".utf8), []], variables: [name]) == nil)
        #expect(
            GivenText.fault(arguments: [[], [], Self.broken], variables: [name])
                == "argument 2 is not UTF-8: a\u{FFFD}\\u{A}")
        #expect(
            GivenText.fault(arguments: [[]], variables: [name, ("CONSENTLINK_API", Self.broken)])
                == "CONSENTLINK_API in the environment is not UTF-8")
    }

    @Test("a command with such an argument ends before it does anything")
    func command() async throws {
        let argument = try await CommandRun.of(["verify", "--key", "k"], redirection: #""$(printf 'a\377')""#)
        #expect(argument.status == 2)
        #expect(argument.errors == "consentlink: argument 4 is not UTF-8: a\u{FFFD}\n")
    }
}
