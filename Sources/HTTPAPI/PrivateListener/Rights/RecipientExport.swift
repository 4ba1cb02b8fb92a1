import Consent
import Hummingbird
import Identifiers
import JSON
import NIOCore
import Organizations
import UseCases

/// Everything that is held about a recipient, as one JSON document, written part by part.
struct RecipientExport {
    let records: RecipientRecords
    let firstConsents: [ConsentRecord]

    func write(to body: inout any ResponseBodyWriter) async throws {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("recipient", records.recipient.text)
        writer.key("organization")
        writer.object { writer in
            writer.member("id", records.organization.id.description)
            writer.member("name", records.organization.name)
            writer.member("enforcement", records.organization.enforcement.rawValue)
        }
        writer.member("exportedAt", records.madeAt.rfc3339)

        var current = CurrentConsents(at: records.madeAt)
        writer.key("history")
        writer.beginArray()
        var consents = firstConsents
        while let last = consents.last {
            for record in consents {
                current.add(record)
                writer.object { $0.members(of: record, about: records.recipient) }
            }
            try await body.write(ByteBuffer(bytes: writer.takeBytes()))
            consents = try await records.consents(after: last)
        }
        writer.endArray()
        writer.key("current")
        writer.current(current)

        writer.key("decisions")
        writer.beginArray()
        var decisions = try await records.decisions(after: nil)
        while let last = decisions.last {
            for entry in decisions { writer.object { $0.members(of: entry) } }
            try await body.write(ByteBuffer(bytes: writer.takeBytes()))
            decisions = try await records.decisions(after: last)
        }
        writer.endArray()

        writer.key("interactions")
        writer.beginArray()
        var interactions = try await records.interactions(after: nil)
        while let last = interactions.last {
            for item in interactions { writer.object { $0.members(of: item) } }
            try await body.write(ByteBuffer(bytes: writer.takeBytes()))
            interactions = try await records.interactions(after: last)
        }
        writer.endArray()
        writer.endObject()
        try await body.write(ByteBuffer(bytes: writer.takeBytes()))
    }
}
