import Foundation
import Identifiers
import JSON
import Messages
import Testing

/// Mails as they come and as they go, one file for each thing that people write.
@Suite struct GoldenMailTests {
    private static let folder = Bundle.module.resourceURL?.appending(path: "Golden")

    static let names = [
        "any-text", "area", "crlf-bom", "entities", "labels", "left-alone", "malformed", "nesting", "notrack",
        "opted-out", "outlook", "pixel", "pixel-amp", "pixel-without-body", "placeholders", "preferences", "quoting",
        "text-interrupted", "text-left-alone", "text-markdown", "text-merge-fields", "text-notrack", "text-preferences",
        "text-punctuation", "text-quotes", "text-scripts", "text-wrapped", "white-space",
    ]

    @Test("a mail comes out as it did when somebody looked at it", arguments: names)
    func golden(_ name: String) throws {
        let file = try Self.file(name)
        let place: BodyLink.Part = file["html"] == nil ? .text : .html
        let source = try #require(file[place.rawValue]?.text)
        let mail = try Mail(source, place)
        #expect(Array(mail.untracked.utf8) == Array((file["untracked"]?.text ?? source).utf8))
        let tracked = try mail.tracked(hasPixel: file["openTracking"] == .bool(true))
        #expect(Array(tracked.utf8) == Array(try #require(file["tracked"]?.text).utf8))
        let links = mail.body.links.map { link in
            let outcome: JSONValue = mail.index(link).map { .integer(Int($0.rawValue)) } ?? .string(link.skipped ?? "")
            return JSONValue.array(
                [.integer(link.line), outcome, .string(link.url)] + (link.label.map { [.string($0)] } ?? []))
        }
        #expect(file["links"] == .array(links))
    }

    @Test("every golden file is looked at")
    func complete() throws {
        let folder = try #require(Self.folder)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(files) == Set(Self.names.map { "\($0).json" }))
    }

    private static func file(_ name: String) throws -> JSONObject {
        let url = try #require(folder).appending(path: "\(name).json")
        guard case .object(let object) = try JSONValue.parse(Array(try Data(contentsOf: url))) else {
            throw NotAnObject()
        }
        return object
    }

    private struct NotAnObject: Error {}
}

extension JSONValue {
    var text: String? { if case .string(let text) = self { text } else { nil } }
}
