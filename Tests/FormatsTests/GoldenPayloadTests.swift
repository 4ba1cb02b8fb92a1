import Formats
import Foundation
import JSON
import Messages
import Testing

/// `Golden/*.json`: a message, and what becomes of it in each format, to the order of the members. The tokens are those
/// of the vectors of tracking IDs, which were computed by other code than ours.
@Suite struct GoldenPayloadTests {
    static let names = ["link", "everything", "no-link", "deep-link", "app-scheme", "silent", "awkward-text"]

    private func golden(_ name: String) throws -> JSONValue {
        let file = try #require(Bundle.module.url(forResource: "Golden/\(name)", withExtension: "json"))
        return try JSONValue.parse(try Data(contentsOf: file))
    }

    static let formats: [(key: String, format: PayloadFormat)] = [
        ("dynamics365/ios", .dynamics365(.ios)), ("dynamics365/android", .dynamics365(.android)), ("plain", .plain),
    ]

    @Test("a payload is what it was", arguments: names, formats)
    func payload(_ name: String, _ format: (key: String, format: PayloadFormat)) throws {
        let golden = try golden(name)
        let message = try Samples.message(try #require(golden["message"]))
        let compiled = try Samples.compiled(message, format.format)
        let tracked = try Samples.payload(Samples.tracked(), compiled)
        let untracked = try Samples.payload(Samples.untracked(), compiled)
        let expected = try #require(golden[format.key])
        #expect(try JSONValue.parse(tracked) == expected["tracked"], "\(String(decoding: tracked, as: UTF8.self))")
        #expect(
            try JSONValue.parse(untracked) == expected["untracked"], "\(String(decoding: untracked, as: UTF8.self))")
        #expect(expected["tracked"]?.serialized() == tracked, "and not a byte more")
        #expect(expected["untracked"]?.serialized() == untracked)
        #expect(expected["unsupportedMembers"] == .array(compiled.unsupportedMembers.map { .string($0) }))
    }

    @Test("every golden file is looked at")
    func complete() throws {
        let folder = try #require(Bundle.module.url(forResource: "Golden", withExtension: nil))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(files) == Set(Self.names.map { "\($0).json" }).union(["devices"]))
    }
}
