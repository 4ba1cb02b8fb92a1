import Formats
import Foundation
import JSON
import Messages
import Testing

/// `Golden/devices/*.json`: a message, and what becomes of it on each system and platform, to the order of the members.
/// They were written by a program that follows the specification and shares no code with ours.
@Suite struct DeviceGoldenTests {
    static let names = [
        "link", "no-link", "deep-link", "app-scheme", "buttons", "buttons-alone", "media", "badge", "badge-greatest",
        "sound", "category", "custom", "content-available", "nothing", "awkward-text", "everything",
    ]

    private func golden(_ name: String) throws -> JSONValue {
        let file = try #require(Bundle.module.url(forResource: "Golden/devices/\(name)", withExtension: "json"))
        return try JSONValue.parse(try Data(contentsOf: file))
    }

    private func key(_ format: PayloadFormat) -> String {
        switch format {
        case .dynamics365(let platform): "dynamics365/\(platform.rawValue)"
        case .adobeCampaign(let platform): "adobe-campaign/\(platform.rawValue)"
        case .bird(let platform): "bird/\(platform.rawValue)"
        case .email: "email"
        case .plain: "plain"
        }
    }

    @Test("a payload is what it was", arguments: names, DeviceSamples.formats)
    func payload(_ name: String, _ format: PayloadFormat) throws {
        let golden = try golden(name)
        let message = try Samples.message(try #require(golden["message"]))
        let compiled = try Samples.compiled(message, format)
        let tracked = try Samples.payload(Samples.tracked(), compiled)
        let untracked = try Samples.payload(Samples.untracked(), compiled)
        let expected = try #require(golden[key(format)])
        #expect(expected["tracked"]?.serialized() == tracked, "\(String(decoding: tracked, as: UTF8.self))")
        #expect(expected["untracked"]?.serialized() == untracked, "\(String(decoding: untracked, as: UTF8.self))")
        #expect(expected["unsupportedMembers"] == .array(compiled.unsupportedMembers.map { .string($0) }))
    }

    @Test("every golden file is looked at")
    func complete() throws {
        let folder = try #require(Bundle.module.url(forResource: "Golden/devices", withExtension: nil))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(files) == Set(Self.names.map { "\($0).json" }))
    }
}
