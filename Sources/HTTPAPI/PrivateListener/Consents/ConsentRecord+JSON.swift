import Consent
import Identifiers
import JSON

extension JSONShape where Value == [RecipientID] {
    /// The recipients of one record, or of an array of them, that were accepted before.
    static var consentRecipients: JSONShape {
        let recipient = JSONShape<RecipientID>.object { fields throws(BodyProblems) in
            let recipient = fields.required("recipient", .string(RecipientID.init))
            fields.ignoreUnknownMembers()
            return try recipient.get()
        }
        return JSONShape { value, pointer throws(BodyProblems) in
            guard case .array(let records) = value else { return [try recipient.read(value, at: pointer)] }
            return try JSONShape.array(of: recipient, count: 1...max(records.count, 1)).read(value, at: pointer)
        }
    }
}

extension JSONShape where Value == [NewConsentRecord] {
    private static var maximumCount: Int { 10_000 }

    /// One record, or an array of them.
    static func consentRecords(at instant: RecordingTime, requiringEvidence: Bool) -> JSONShape {
        let record = JSONShape<NewConsentRecord>.consentRecord(at: instant, requiringEvidence: requiringEvidence)
        return JSONShape { value, pointer throws(BodyProblems) in
            guard case .array = value else { return [try record.read(value, at: pointer)] }
            return try JSONShape.array(of: record, count: 1...maximumCount).read(value, at: pointer)
        }
    }
}

extension JSONShape where Value == NewConsentRecord {
    static func consentRecord(at instant: RecordingTime, requiringEvidence: Bool) -> JSONShape {
        let plain = consentRecord(at: instant)
        return JSONShape { value, pointer throws(BodyProblems) in
            let record = try plain.read(value, at: pointer)
            if requiringEvidence { try record.requireEvidence(at: pointer) }
            return record
        }
    }

    static func consentRecord(at instant: RecordingTime) -> JSONShape {
        JSONShape { value, pointer throws(BodyProblems) in
            let time = JSONShape<Timestamp>.string(Timestamp.init(rfc3339:))
            return try JSONShape.object { fields throws(BodyProblems) in
                let recipient = fields.required("recipient", .string(RecipientID.init))
                let purpose = fields.optional("purpose", .string(Purpose.init), default: .tracking)
                let state = fields.required("state", JSONShape<ConsentState>.choice)
                let occurredAt = fields.optional("occurredAt", time)
                let validUntil = fields.optional("validUntil", time)
                let evidence = fields.optional("evidence", .evidence)
                try fields.finish()
                let (validRecipient, validState) = (try recipient.get(), try state.get())
                do throws(ConsentRecordError) {
                    return try NewConsentRecord(
                        recipient: validRecipient, purpose: purpose, state: validState, occurredAt: occurredAt,
                        validUntil: validUntil, evidence: evidence, instant: instant)
                } catch {
                    throw BodyProblems(pointer.appending(error.member), error.description)
                }
            }.read(value, at: pointer)
        }
    }
}

extension ConsentRecordError {
    fileprivate var member: String {
        switch self {
        case .inTheFuture: "occurredAt"
        case .validUntilWithoutGrant, .endsBeforeItBegins: "validUntil"
        }
    }
}

extension JSONShape where Value == ConsentEvidence {
    private static var text: JSONShape<String> { .text(length: 0...4096) }

    static var evidence: JSONShape {
        .object { fields throws(BodyProblems) in
            let evidence = ConsentEvidence(
                method: fields.optional("method", text), source: fields.optional("source", text),
                notice: fields.optional("notice", notice), actor: fields.optional("actor", text),
                language: fields.optional("language", text))
            try fields.finish()
            return evidence
        }
    }

    private static var notice: JSONShape<ConsentEvidence.Notice> {
        .object { fields throws(BodyProblems) in
            let notice = ConsentEvidence.Notice(
                id: fields.optional("id", text), version: fields.optional("version", text),
                language: fields.optional("language", text), sha256: fields.optional("sha256", text))
            try fields.finish()
            return notice
        }
    }
}

/// The consents in force at a moment for each purpose, from records in any order.
struct CurrentConsents {
    let instant: Timestamp
    private var best: [Purpose: ConsentInForce] = [:]

    init(at instant: Timestamp) { self.instant = instant }

    mutating func add(_ record: ConsentRecord) {
        let known = [best[record.purpose], record.inForce].compactMap(\.self)
        best[record.purpose] = ConsentInForce.inForce(among: known, at: instant)
    }

    var sorted: [(key: Purpose, value: ConsentInForce)] {
        best.sorted { $0.key.description < $1.key.description }
    }
}

extension JSONWriter {
    /// A record as the answer to the backend that sent it.
    mutating func stored(_ record: ConsentRecord, about recipient: RecipientID) {
        object { writer in
            writer.member("id", record.id.description)
            writer.member("recipient", recipient.text)
            writer.member("purpose", record.purpose.description)
            writer.member("state", record.state.rawValue)
            writer.member("occurredAt", record.occurredAt.rfc3339)
            writer.member("recordedAt", record.recordedAt.rfc3339)
        }
    }

    /// A whole record, as it appears in a history and with a decision.
    ///
    /// - Parameter recipient: `nil` once the recipient was erased.
    mutating func members(of record: ConsentRecord, about recipient: RecipientID?) {
        member("id", record.id.description)
        member("recipient", recipient?.text)
        member("purpose", record.purpose.description)
        member("state", record.state.rawValue)
        member("occurredAt", record.occurredAt.rfc3339)
        member("recordedAt", record.recordedAt.rfc3339)
        member("validUntil", record.validUntil?.rfc3339)
        key("evidence")
        guard let evidence = record.evidence else { return null() }
        object { writer in
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
    }

    /// The consent in force for each purpose.
    mutating func current(_ current: CurrentConsents) {
        array { writer in
            for (purpose, consent) in current.sorted {
                writer.object { writer in
                    writer.member("purpose", purpose.description)
                    writer.member("state", consent.isExpired(at: current.instant) ? "expired" : consent.state.rawValue)
                    writer.member("since", consent.occurredAt.rfc3339)
                    writer.member("validUntil", consent.validUntil?.rfc3339)
                    writer.member("consent", consent.record.description)
                }
            }
        }
    }
}
