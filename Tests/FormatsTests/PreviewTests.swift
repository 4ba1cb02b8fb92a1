import Consent
import Formats
import Identifiers
import JSON
import Messages
import Testing
import TrackingIDs

@Suite struct PreviewTests {
    private static let formats = DeviceSamples.formats + [.plain, .email]
    private static let json = #"""
        {"name":"n","title":"T","link":"https://shop.example/","custom":{"k":"v"},"openTracking":true,
        "actions":[{"id":"a","title":"A","link":"https://shop.example/b"}],
        "html":"<p><a href=\"https://shop.example/c\">c</a></p>","text":"https://shop.example/d"}
        """#

    private func preview(
        _ compiled: CompiledMessage, _ outcome: DecisionOutcome, of message: MessageID? = nil
    ) -> String {
        var bytes: [UInt8] = []
        let reason: DecisionReason = outcome == .tracked ? .consentGiven : .noConsentRecord
        compiled.preview(.together(reason), of: message, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("a preview is the payload with placeholders of the same lengths", arguments: formats)
    func placeholders(_ format: PayloadFormat) throws {
        let compiled = try Samples.compiled(Samples.message(Self.json), format)
        let payload = String(decoding: try Samples.payload(Samples.tracked(), compiled), as: UTF8.self)
        let shown = preview(compiled, .tracked, of: try MessageID(DeviceSamples.messageID))
        #expect(shown.utf8.count == payload.utf8.count)
        #expect((try? JSONValue.parse(Array(shown.utf8))) != nil)
        #expect(shown.contains("preview000"))
        // What differs between the two is what is made for a recipient.
        let made = /hpreview0{73}|h[0-9a-f]{80}|preview0{47}|[A-Za-z0-9_-]{54}/
        #expect(shown.replacing(made, with: "-") == payload.replacing(made, with: "-"))
    }

    @Test("of a message that is not stored a preview has no id, and is as long", arguments: formats)
    func noMessageID(_ format: PayloadFormat) throws {
        let compiled = try Samples.compiled(Samples.message(Self.json), format)
        let id = try MessageID(DeviceSamples.messageID)
        let payload = String(decoding: try Samples.payload(Samples.tracked(), compiled), as: UTF8.self)
        let shown = preview(compiled, .tracked)
        #expect(!shown.contains(id.description))
        #expect(preview(compiled, .tracked, of: id).contains(id.description) == payload.contains(id.description))
        #expect(shown.utf8.count == payload.utf8.count)
    }

    @Test("who is not tracked is shown the very payload that they get", arguments: formats)
    func untracked(_ format: PayloadFormat) throws {
        let compiled = try Samples.compiled(Samples.message(Self.json), format)
        let payload = String(decoding: try Samples.payload(Samples.untracked(), compiled), as: UTF8.self)
        #expect(preview(compiled, .untracked) == payload)
    }

    @Test("no placeholder opens, under any key", arguments: formats)
    func opens(_ format: PayloadFormat) throws {
        let shown = preview(try Samples.compiled(Samples.message(Self.json), format), .tracked)
        let opener = try DeviceSamples.opener()
        let found = shown.matches(of: /preview0{40,80}/).map(\.output)
        #expect(!found.isEmpty)
        for placeholder in found {
            guard case .refused(let refusal) = opener.open(placeholder) else {
                Issue.record("\(placeholder) opens")
                continue
            }
            #expect(refusal != .tag, "it is refused before any key is asked")
        }
    }
}
