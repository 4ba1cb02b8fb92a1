import Cryptography
package import Identifiers
import JSON

/// The filters that an export was made with; an export without filters has everything.
package struct AuditFilters: Hashable, Sendable {
    package let recipient: String?
    package let message: String?
    package let from: String?
    package let to: String?

    package static let none = AuditFilters()

    package init(
        recipient: RecipientID? = nil, message: MessageID? = nil, from: Timestamp? = nil, to: Timestamp? = nil
    ) {
        self.init(recipient: recipient?.text, message: message?.description, from: from?.rfc3339, to: to?.rfc3339)
    }

    init(recipient: String?, message: String?, from: String?, to: String?) {
        self.recipient = recipient
        self.message = message
        self.from = from
        self.to = to
    }

    /// Whether the export is not filtered.
    package var areNone: Bool { self == .none }
}

/// The last file of an export, with its scope and its files, as canonical JSON. It is not signed, so it proves nothing;
/// it serves to find files that were cut or replaced on their way.
struct AuditManifest: Equatable, Sendable {
    static let format = "consentlink-audit@v1"

    struct Counts: Hashable, Sendable {
        var consents: UInt64 = 0
        var decisions: UInt64 = 0
        var entries: UInt64 = 0
        var interactions: UInt64 = 0
    }

    struct File: Hashable, Sendable {
        let name: String
        let size: UInt64
        /// Lower-case hexadecimal.
        let sha256: String
    }

    let counts: Counts
    let exportedAt: String
    /// All files except tiles, which the root proves, and the manifest.
    let files: [File]
    let filters: AuditFilters
    let origin: String
    let head: TreeHead

    init(
        counts: Counts, exportedAt: String, files: [File], filters: AuditFilters, origin: String, head: TreeHead
    ) {
        self.counts = counts
        self.exportedAt = exportedAt
        self.files = files
        self.filters = filters
        self.origin = origin
        self.head = head
    }

    /// A file has four values.
    private static let limits = JSONLimits(values: 2 << 20)

    /// Accepts only what ``json`` writes.
    init(_ bytes: [UInt8]) throws(AuditFault) {
        guard let value = try? JSONValue.parse(bytes, limits: Self.limits), let manifest = Self(value),
            manifest.json == bytes
        else {
            throw .manifest("it has not the form of a manifest")
        }
        for instant in [manifest.exportedAt, manifest.filters.from, manifest.filters.to] {
            guard instant.map({ Timestamp(canonical: Array($0.utf8)[...]) != nil }) ?? true else {
                throw .manifest("a time in it is not written as 2026-11-21T09:00:00.000Z")
            }
        }
        guard manifest.filters.recipient.map({ (try? RecipientID($0)) != nil }) ?? true,
            manifest.filters.message.map({ (try? MessageID($0)) != nil }) ?? true
        else { throw .manifest("its filters are none that an export can have") }
        self = manifest
    }

    var json: [UInt8] {
        var writer = JSONWriter(capacity: 1024 + files.count * 160)
        writer.object { writer in
            writer.key("counts")
            writer.object { writer in
                writer.member("consents", counts.consents)
                writer.member("decisions", counts.decisions)
                writer.member("entries", counts.entries)
                writer.member("interactions", counts.interactions)
            }
            writer.member("exportedAt", exportedAt)
            writer.key("files")
            writer.array { writer in
                for file in files {
                    writer.object { writer in
                        writer.member("name", file.name)
                        writer.member("sha256", file.sha256)
                        writer.member("size", file.size)
                    }
                }
            }
            writer.key("filters")
            writer.object { writer in
                if let from = filters.from { writer.member("from", from) }
                if let message = filters.message { writer.member("message", message) }
                if let recipient = filters.recipient { writer.member("recipient", recipient) }
                if let to = filters.to { writer.member("to", to) }
            }
            writer.member("format", Self.format)
            writer.member("origin", origin)
            writer.member("root", head.root.text)
            writer.member("size", head.size)
        }
        return writer.bytes + [.newline]
    }
}

extension AuditManifest {
    private init?(_ value: JSONValue) {
        guard case .object(let object) = value, case .object(let counts) = object["counts"],
            case .object(let filters) = object["filters"], case .array(let files) = object["files"],
            let root = object.text("root").flatMap({ TreeHash(base64: Array($0.utf8)[...]) }),
            let size = object.number("size"), let origin = object.text("origin"),
            let exportedAt = object.text("exportedAt"),
            let consents = counts.number("consents"), let decisions = counts.number("decisions"),
            let entries = counts.number("entries"), let interactions = counts.number("interactions")
        else { return nil }
        let read = files.compactMap { file -> File? in
            guard case .object(let file) = file, let name = file.text("name"), let size = file.number("size"),
                let sum = file.text("sha256")
            else { return nil }
            return File(name: name, size: size, sha256: sum)
        }
        guard read.count == files.count else { return nil }
        self.init(
            counts: Counts(consents: consents, decisions: decisions, entries: entries, interactions: interactions),
            exportedAt: exportedAt, files: read,
            filters: AuditFilters(
                recipient: filters.text("recipient"), message: filters.text("message"), from: filters.text("from"),
                to: filters.text("to")),
            origin: origin, head: TreeHead(size: size, root: root))
    }
}

extension JSONObject {
    fileprivate func text(_ name: String) -> String? {
        guard case .string(let text) = self[name] else { return nil }
        return text
    }

    fileprivate func number(_ name: String) -> UInt64? {
        guard case .number(let number) = self[name] else { return nil }
        return number.uint64
    }
}
