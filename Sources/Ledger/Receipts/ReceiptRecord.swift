import Identifiers
import JSON

/// A consent record from a proof: the members of its entry and of its private fields.
struct ReceiptRecord {
    let origin: KeyName
    let entry: JSONValue
    let fields: JSONValue

    /// - Throws: ``ReceiptFault/notConsent`` and ``ReceiptFault/closed``
    init(_ proof: TLogProof) throws(ReceiptFault) {
        var instants = TimestampReader()
        guard let checkpoint = try? Checkpoint(proof.note.text), let extra = proof.extra,
            let text = EntryText(extra[...]), case .consent? = ParsedEntry(text.entry, &instants),
            let entry = try? JSONValue.parse(text.entry)
        else { throw .notConsent }
        guard let bytes = text.fields, ConsentFields(bytes) != nil, let fields = try? JSONValue.parse(bytes) else {
            throw .closed
        }
        (origin, self.entry, self.fields) = (checkpoint.origin, entry, fields)
    }

    /// The organization's id: the last part of the ledger's name.
    var organization: String {
        origin.description.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    }

    /// The whole content of a receipt, in its order. Values that were not recorded are left out.
    func words(organizationName: String, proof: [UInt8]) -> JSONValue {
        let (evidence, notice) = (fields.member("evidence"), fields.member("evidence")?.member("notice"))
        return .members([
            ("schema_version", .string(ConsentReceipt.schemaVersion)),
            ("record_id", entry.member("id")),
            ("pii_principal_id", fields.member("recipient")),
            (
                "pii_processing",
                .members([
                    ("privacy_notice", notice.flatMap(Self.privacyNotice)),
                    ("language", notice?.member("language") ?? evidence?.member("language")),
                    ("purposes", .array([.members([("purpose", fields.member("purpose"))])])),
                    ("pii_controllers", .array([controller(named: organizationName)])),
                ])
            ),
            (
                "event",
                .members([
                    ("event_time", fields.member("occurredAt")),
                    ("event_state", fields.member("state")),
                    ("validity_duration", fields.member("validUntil")),
                    ("entity_id", evidence?.member("actor")),
                ])
            ),
            (
                "consentlink",
                .members([
                    ("recorded_at", entry.member("at")),
                    ("method", evidence?.member("method")),
                    ("source", evidence?.member("source")),
                    ("key_name", .string(origin.description)),
                    ("proof", .string(String(decoding: proof, as: UTF8.self))),
                ])
            ),
        ])
    }

    private func controller(named name: String) -> JSONValue {
        .members([
            ("party_id", .string(organization)), ("party_name", .string(name)), ("party_role", .string("controller")),
        ])
    }

    private static func privacyNotice(_ notice: JSONValue) -> JSONValue? {
        let names = ["id", "version", "sha256"].filter { notice.member($0) != nil }
        return names.isEmpty ? nil : .members(names.map { ($0, notice.member($0)) })
    }
}

extension JSONValue {
    /// The value of a member of an object.
    func member(_ name: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        return object[name]
    }

    /// An object of the members that have a value: `nil` and `null` are left out. Names must be unique.
    fileprivate static func members(_ members: [(name: String, value: JSONValue?)]) -> JSONValue {
        var object = JSONObject()
        for case (let name, let value?) in members where value != .null { _ = object.append(name, value) }
        return .object(object)
    }
}
