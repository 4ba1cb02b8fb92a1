import Formats
import Testing

@Suite struct PayloadFormatTests {
    @Test("a format for devices needs its platform, and a plain one has none")
    func platform() throws {
        #expect(try PayloadFormat(.dynamics365, platform: .ios) == .dynamics365(.ios))
        #expect(try PayloadFormat(.dynamics365, platform: .android) == .dynamics365(.android))
        #expect(try PayloadFormat(.plain, platform: nil) == .plain)
        #expect(try PayloadFormat(.email, platform: nil) == .email)
        #expect(throws: PayloadFormatError.platformMissing) { try PayloadFormat(.dynamics365, platform: nil) }
        for platform in PayloadFormat.Platform.allCases {
            #expect(throws: PayloadFormatError.platformSuperfluous) { try PayloadFormat(.plain, platform: platform) }
            #expect(throws: PayloadFormatError.platformSuperfluous) { try PayloadFormat(.email, platform: platform) }
        }
    }

    @Test("a request names formats and platforms by these words")
    func names() {
        #expect(PayloadFormat.Name.dynamics365.rawValue == "dynamics365")
        #expect(PayloadFormat.Name.plain.rawValue == "plain")
        #expect(PayloadFormat.Name.email.rawValue == "email")
        #expect(PayloadFormat.Platform.allCases.map(\.rawValue) == ["ios", "android"])
    }
}
