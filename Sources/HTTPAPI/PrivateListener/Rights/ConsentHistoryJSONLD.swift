import Consent
import Hummingbird
import Identifiers
import JSON
import NIOCore
import Organizations

/// A recipient's consent history in the W3C Data Privacy Vocabulary, as JSON-LD with an embedded context.
///
/// `docs/formats/consent-records.md` specifies it.
struct ConsentHistoryJSONLD {
    private static let subject = "_:subject"
    private static let controller = "_:controller"

    let records: RecipientRecords
    let firstConsents: [ConsentRecord]

    func write(to body: inout any ResponseBodyWriter) async throws {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("@context")
        Self.context(&writer)
        writer.key("@graph")
        writer.beginArray()
        controller(&writer)
        // If nothing is held, the document must not say that there is such a recipient.
        if !firstConsents.isEmpty { subject(&writer) }
        var consents = firstConsents
        while let last = consents.last {
            for record in consents { write(record, &writer) }
            consents = []
            try await body.write(ByteBuffer(bytes: writer.takeBytes()))
            consents = try await records.consents(after: last)
        }
        writer.endArray()
        writer.endObject()
        try await body.write(ByteBuffer(bytes: writer.takeBytes()))
    }

    private static func context(_ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("dpv", "https://w3id.org/dpv#")
            writer.member("dct", "http://purl.org/dc/terms/")
            writer.member("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#")
            writer.member("schema", "https://schema.org/")
            writer.member("xsd", "http://www.w3.org/2001/XMLSchema#")
            for time in ["dct:created", "dct:date", "dpv:isIndicatedAtTime", "rdf:value"] {
                writer.key(time)
                writer.object { $0.member("@type", "xsd:dateTime") }
            }
        }
    }

    private func controller(_ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("@id", Self.controller)
            writer.key("@type")
            writer.array { writer in
                writer.string("dpv:Organisation")
                writer.string("dpv:DataController")
            }
            writer.member("dct:identifier", records.organization.id.description)
            writer.member("dpv:hasName", records.organization.name)
        }
    }

    private func subject(_ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("@id", Self.subject)
            writer.member("@type", "dpv:DataSubject")
            writer.member("dct:identifier", records.recipient.text)
        }
    }

    private func write(_ record: ConsentRecord, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("@type", "dpv:ConsentRecord")
            writer.member("dct:identifier", record.id.description)
            writer.member("dct:created", record.recordedAt.rfc3339)
            writer.reference("dpv:hasDataSubject", Self.subject)
            writer.reference("dpv:hasDataController", Self.controller)
            writer.node("dpv:hasPurpose", "dpv:Purpose") { $0.member("dct:identifier", record.purpose.description) }
            if let source = record.evidence?.source { writer.member("dct:source", source) }
            if let language = record.evidence?.language { writer.member("dct:language", language) }
            if let notice = record.evidence?.notice { write(notice, &writer) }
            writer.key("dpv:hasConsentStatus")
            writer.array { writer in
                status(record, &writer)
                expiry(record, &writer)
            }
        }
    }

    private func write(_ notice: ConsentEvidence.Notice, _ writer: inout JSONWriter) {
        writer.node("dpv:hasNotice", "dpv:ConsentNotice") { writer in
            if let id = notice.id { writer.member("dct:identifier", id) }
            if let version = notice.version { writer.member("schema:version", version) }
            if let language = notice.language { writer.member("dct:language", language) }
            if let digest = notice.sha256 { writer.member("schema:sha256", digest) }
        }
    }

    private func status(_ record: ConsentRecord, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("@type", record.state.dpvTerm)
            writer.member("dpv:isIndicatedAtTime", record.occurredAt.rfc3339)
            if let method = record.evidence?.method { writer.member("dpv:hasIndicationMethod", method) }
            switch record.evidence?.actor {
            case "subject": writer.reference("dpv:isIndicatedBy", Self.subject)
            case let actor?: writer.node("dpv:isIndicatedBy", "dpv:Entity") { $0.member("dct:description", actor) }
            case nil: break
            }
            guard record.state == .given else { return }
            if let end = record.validUntil {
                writer.node("dpv:hasDuration", "dpv:UntilTimeDuration") { $0.member("rdf:value", end.rfc3339) }
            } else {
                writer.node("dpv:hasDuration", "dpv:EndlessDuration") { _ in }
            }
        }
    }

    /// An expired consent is no record of its own: it follows from its end and the time of the export.
    private func expiry(_ record: ConsentRecord, _ writer: inout JSONWriter) {
        guard record.inForce.isExpired(at: records.madeAt), let end = record.validUntil else { return }
        writer.object { writer in
            writer.member("@type", "dpv:ConsentExpired")
            writer.member("dct:date", end.rfc3339)
        }
    }
}

extension ConsentState {
    fileprivate var dpvTerm: String {
        switch self {
        case .given: "dpv:ConsentGiven"
        case .refused: "dpv:ConsentRefused"
        case .withdrawn: "dpv:ConsentWithdrawn"
        case .revoked: "dpv:ConsentRevoked"
        case .invalidated: "dpv:ConsentInvalidated"
        }
    }
}

extension JSONWriter {
    /// A member whose value is another node.
    fileprivate mutating func reference(_ name: String, _ id: String) {
        key(name)
        object { $0.member("@id", id) }
    }

    /// A member whose value is a node without a name.
    fileprivate mutating func node(_ name: String, _ type: String, _ fill: (inout JSONWriter) -> Void) {
        key(name)
        object { writer in
            writer.member("@type", type)
            fill(&writer)
        }
    }
}
