import Consent
import JSON
import SQL

/// The evidence of a consent record as it is stored: a JSON object that has only the fields that are set.
///
///     {"method":"web-form","source":"https://…","notice":{"id":"privacy","version":"3"},"actor":"subject","language":"en"}
enum EvidenceJSON {
    static func encode(_ evidence: ConsentEvidence) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            member("method", evidence.method, &writer)
            member("source", evidence.source, &writer)
            if let notice = evidence.notice {
                writer.key("notice")
                writer.object { writer in
                    member("id", notice.id, &writer)
                    member("version", notice.version, &writer)
                    member("language", notice.language, &writer)
                    member("sha256", notice.sha256, &writer)
                }
            }
            member("actor", evidence.actor, &writer)
            member("language", evidence.language, &writer)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    static func decode(_ text: String) throws(StorageError) -> ConsentEvidence {
        do {
            return try evidence.read(JSONValue.parse(Array(text.utf8)))
        } catch {
            throw .unreadable
        }
    }

    private static var evidence: JSONShape<ConsentEvidence> {
        .object { fields throws(BodyProblems) in
            let evidence = ConsentEvidence(
                method: fields.optional("method", .string),
                source: fields.optional("source", .string),
                notice: fields.optional("notice", notice),
                actor: fields.optional("actor", .string),
                language: fields.optional("language", .string)
            )
            try fields.finish()
            return evidence
        }
    }

    private static var notice: JSONShape<ConsentEvidence.Notice> {
        .object { fields throws(BodyProblems) in
            let notice = ConsentEvidence.Notice(
                id: fields.optional("id", .string),
                version: fields.optional("version", .string),
                language: fields.optional("language", .string),
                sha256: fields.optional("sha256", .string)
            )
            try fields.finish()
            return notice
        }
    }

    private static func member(_ name: String, _ text: String?, _ writer: inout JSONWriter) {
        if let text { writer.member(name, text) }
    }
}
