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
            writer.member("method", ifPresent: evidence.method)
            writer.member("source", ifPresent: evidence.source)
            if let notice = evidence.notice {
                writer.key("notice")
                writer.object { writer in
                    writer.member("id", ifPresent: notice.id)
                    writer.member("version", ifPresent: notice.version)
                    writer.member("language", ifPresent: notice.language)
                    writer.member("sha256", ifPresent: notice.sha256)
                }
            }
            writer.member("actor", ifPresent: evidence.actor)
            writer.member("language", ifPresent: evidence.language)
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
}
