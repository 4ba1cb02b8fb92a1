import Consent
import Formats
import Identifiers
import JSON
import Messages
import Testing
import TrackingIDs

/// What of a payload follows from which of two decisions.
@Suite("Payloads of a message that asks for clicks and opens apart")
struct PurposesTests {
    private static let formats = DeviceSamples.formats + [.plain, .email]
    private static let content = #"""
        "name":"n","title":"T","link":"https://shop.example/","custom":{"k":"v"},"openTracking":true,
        "actions":[{"id":"a","title":"A","link":"https://shop.example/b"}],
        "html":"<p><a href=\"https://shop.example/c\">c</a></p>","text":"https://shop.example/d"}
        """#
    private static let together = "{" + content
    private static let apart = #"{"purposes":{"clicks":"tracking","opens":"open-tracking"},"# + content

    private func identifies(_ text: String) -> Bool { text.contains(/[A-Za-z0-9_-]{54}|h[0-9a-f]{80}/) }

    private func text(_ decisions: RecipientDecisions, _ json: String, _ format: PayloadFormat) throws -> String {
        let compiled = try Samples.compiled(Samples.message(json), format)
        return String(decoding: try Samples.payload(decisions, compiled), as: UTF8.self)
    }

    @Test(
        "with both it is what one decision for both gives, and with neither it is the untracked bytes",
        arguments: formats)
    func ends(_ format: PayloadFormat) throws {
        let (yes, no) = (try Samples.tracked(), try Samples.untracked())
        #expect(
            try text(.apart(clicks: yes, opens: yes), Self.apart, format)
                == text(.together(yes), Self.together, format))
        let untracked = try text(.apart(clicks: no, opens: no), Self.apart, format)
        #expect(try untracked == text(.together(no), Self.together, format))
        #expect(try untracked == text(.apart(clicks: no, opens: Samples.untracked(nil)), Self.apart, format))
        #expect(!identifies(untracked))
    }

    @Test("clicks alone give the links, and opens alone the picture or the ID of the message", arguments: formats)
    func halves(_ format: PayloadFormat) throws {
        let (yes, no) = (try Samples.tracked(), try Samples.untracked())
        let clicks = try text(.apart(clicks: yes, opens: no), Self.apart, format)
        let opens = try text(.apart(clicks: no, opens: yes), Self.apart, format)
        #expect(clicks.contains("/r/") && !clicks.contains("/o/"))
        #expect(!opens.contains("/r/") && opens.contains("/o/") == (format == .email))
        #expect(identifies(clicks) && identifies(opens))
        // Without its picture, or the ID, it is what somebody gets of whom nothing is tracked.
        if format == .email {
            let untracked = try text(.apart(clicks: no, opens: no), Self.apart, format)
            let nobody = "00000000-0000-0000-0000-000000000000"
            let mail = opens.replacing(/<img src=\\"[^>]*>/, with: "")
            #expect(mail.replacing(DeviceSamples.trackingID, with: nobody) == untracked)
        }
    }

    @Test("a message that asks for one purpose is not compiled for one activity: it gives the untracked bytes")
    func otherDecisions() throws {
        let (yes, no) = (try Samples.tracked(), try Samples.untracked())
        #expect(
            try text(.apart(clicks: yes, opens: no), Self.together, .plain)
                == text(.together(no), Self.together, .plain))
    }

    @Test("no rendering is longer than the longest that is named, nor shorter than the shortest", arguments: formats)
    func lengths(_ format: PayloadFormat) throws {
        let compiled = try Samples.compiled(Samples.message(Self.apart), format)
        let (yes, no) = (try Samples.tracked(), try Samples.untracked())
        let lengths = try [(yes, yes), (yes, no), (no, yes), (no, no)].map { clicks, opens in
            try Samples.payload(.apart(clicks: clicks, opens: opens), compiled).count
        }
        #expect(compiled.lengths == (try #require(lengths.min()))...(try #require(lengths.max())))
    }
}
