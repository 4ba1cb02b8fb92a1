import Consent
import Cryptography
import Identifiers
import JSON
import SQL
import StoragePorts

/// The notices of an organization, each stored once however many recipients are shown it.
enum NoticeRow {
    static func findOrInsert(_ notice: ConsentNotice, organization: Int64, _ db: any SQLConnection) throws -> Int64 {
        let content = encode(notice)
        let digest = SHA256.hash(of: content)
        let known = try db.statement("SELECT number FROM consent_notices WHERE organization = ? AND digest = ?")
            .first(organization, digest) { $0.integer(0) }
        if let known { return known }
        return try db.statement(
            "INSERT INTO consent_notices (organization, digest, content) VALUES (?, ?, ?) \(db.dialect.returningNumber)"
        ).newNumber(organization, digest, PersonalText(String(decoding: content, as: UTF8.self)))
    }

    /// - Returns: `nil` once forgotten.
    /// - Throws: `UnreadableNotice` for a notice that was changed in the database: its digest would stand in the evidence
    ///   of people who read another text.
    static func find(
        _ number: Int64, of organization: OrganizationID, _ db: any SQLConnection
    ) throws -> ConsentNotice? {
        do {
            return try find(number, db)
        } catch StorageError.unreadable {
            throw UnreadableNotice(number, of: organization)
        }
    }

    private static func find(_ number: Int64, _ db: any SQLConnection) throws -> ConsentNotice? {
        let row = try db.statement("SELECT content, digest FROM consent_notices WHERE number = ?")
            .first(number) { (try $0.personalText(0), $0.bytes(1)) }
        guard let row, let text = row.0 else { return nil }
        let content = Array(text.utf8)
        guard row.1 == SHA256.hash(of: content) else { throw StorageError.unreadable }
        do {
            return try requireOwnDigest(shape.read(JSONValue.parse(content)))
        } catch {
            throw StorageError.unreadable
        }
    }

    /// Checks that the text has the digest that the notice states. The text behind a URL cannot be checked here.
    private static func requireOwnDigest(_ notice: ConsentNotice) throws -> ConsentNotice {
        if case .text(let text) = notice.body {
            guard notice.sha256 == Hexadecimal.encode(SHA256.hash(of: Array(text.utf8))) else {
                throw StorageError.unreadable
            }
        }
        return notice
    }

    /// Overwrites a notice if no request to a known recipient refers to it any more.
    static func forget(_ number: Int64, _ db: any SQLConnection) throws {
        try db.statement(
            """
            UPDATE consent_notices SET digest = NULL, content = NULL WHERE number = ?1 AND NOT EXISTS (
                SELECT 1 FROM consent_requests WHERE notice = ?1 AND recipient IS NOT NULL
            )
            """
        ).run(number)
    }

    private static func encode(_ notice: ConsentNotice) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("id", notice.id)
            writer.member("version", notice.version)
            writer.member("sha256", notice.sha256)
            writer.member("language", notice.language)
            switch notice.body {
            case .text(let text): writer.member("text", text)
            case .url(let url): writer.member("url", url)
            }
        }
        return writer.bytes
    }

    private static var shape: JSONShape<ConsentNotice> {
        .object { fields throws(BodyProblems) in
            let (id, version) = (fields.required("id", .string), fields.required("version", .string))
            let (sha256, language) = (fields.required("sha256", .string), fields.required("language", .string))
            let (text, url) = (fields.optional("text", .string), fields.optional("url", .string))
            try fields.finish()
            return ConsentNotice(
                id: try id.get(), version: try version.get(), sha256: try sha256.get(), language: try language.get(),
                body: text.map { .text($0) } ?? .url(url ?? ""))
        }
    }
}
