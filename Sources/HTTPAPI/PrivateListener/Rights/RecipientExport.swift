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
            // The client may take minutes to read; until then, only the bytes are held.
            consents = []
            try await body.write(ByteBuffer(bytes: writer.takeBytes()))
            consents = try await records.consents(after: last)
        }
        writer.endArray()
        writer.key("current")
        writer.current(current)

        try await write("consentRequests", &writer, to: &body, pages: records.consentRequests) { request, writer in
            // The document leaves out the links: any client that has one can answer.
            let state = request.state(at: records.madeAt)
            writer.object { $0.members(of: ShownConsentRequest(request: request, state: state, links: nil)) }
        }
        try await write("decisions", &writer, to: &body, pages: records.decisions) { entry, writer in
            writer.object { $0.members(of: entry) }
        }
        try await write("interactions", &writer, to: &body, pages: records.interactions) { item, writer in
            writer.object { $0.members(of: item) }
        }
        try await write("accesses", &writer, to: &body, pages: records.accesses) { access, writer in
            // It leaves out who looked: there is generally no right to know which employees did (CJEU, C-579/21).
            writer.object { writer in
                writer.member("id", access.id.description)
                writer.member("accessedAt", access.accessedAt.rfc3339)
                writer.member("what", access.what.rawValue)
                writer.member("reason", access.reason?.text)
            }
        }
        writer.endObject()
        try await body.write(ByteBuffer(bytes: writer.takeBytes()))
    }

    /// Writes a member with all items that `pages` returns, one page at a time.
    private func write<Item>(
        _ name: String, _ writer: inout JSONWriter, to body: inout any ResponseBodyWriter,
        pages: (_ last: Item?) async throws -> [Item], item write: (Item, inout JSONWriter) -> Void
    ) async throws {
        writer.key(name)
        writer.beginArray()
        var items = try await pages(nil)
        while let last = items.last {
            for item in items { write(item, &writer) }
            items = []
            try await body.write(ByteBuffer(bytes: writer.takeBytes()))
            items = try await pages(last)
        }
        writer.endArray()
    }
}
