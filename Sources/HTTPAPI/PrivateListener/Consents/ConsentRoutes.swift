import Consent
import Hummingbird
import Identifiers
import JSON
import NIOCore
import Organizations
import StoragePorts
import UseCases

/// Consents of recipients: recording them, returning them, erasing recipients.
struct ConsentRoutes {
    let organizations: any OrganizationDirectory
    let consent: any ConsentArchive
    let recording: ConsentRecording
    let requests: IdempotentRequests
    let accesses: AccessRecording
    let now: @Sendable () -> Timestamp
    let recordingTime: @Sendable () -> RecordingTime

    var routes: [Route] {
        [
            Route(
                .post, "/v1/orgs/{org}/consents", .scopes([.consent]), maximumBodySize: Request.maximumBodySize, record),
            Route(.post, "/v1/orgs/{org}/consents/query", .scopes([.consent, .read]), query),
            Route(.post, "/v1/orgs/{org}/recipients/erase", .scopes([.manage]), act: .recipientErased, erase),
        ]
    }

    @Sendable private func record(_ call: AuthenticatedRequest) async throws -> Response {
        if try call.request.bodyType == .jsonLines { return importLines(call, try call.organization) }
        let body = try await call.repeatableJSONBytes(orLines: true)
        let known = try await organizations.known(try call.organization)
        let organization = known.id
        return try await requests.answer(call, body: body) { fingerprint in
            let instant = recordingTime()
            let (records, isList) = try records(in: body, at: instant, requiringEvidence: known.requiresEvidence)
            do {
                return answer(
                    records.map(\.recipient),
                    try await recording.record(records, in: organization, at: instant.now, fingerprint: fingerprint))
            } catch let error as TooManyPurposes {
                throw error.problems(in: records, isList: isList)
            }
        } replay: { effect in
            let stored = try await consent.records(
                from: ConsentRecordID(effect.first), through: ConsentRecordID(effect.last), in: organization)
            // What was accepted once is not judged again, by another time.
            return answer(try JSONShape.consentRecipients.read(JSONValue.parse(body)), stored)
        }
    }

    /// The records of a body, and whether it is a list. The parsed body is freed on return: for a long list it takes
    /// more memory than all that is done with the records.
    private func records(
        in body: [UInt8], at instant: RecordingTime, requiringEvidence: Bool
    ) throws -> (records: [NewConsentRecord], isList: Bool) {
        let value = try JSONValue.parse(body)
        let isList = if case .array = value { true } else { false }
        return (try JSONShape.consentRecords(at: instant, requiringEvidence: requiringEvidence).read(value), isList)
    }

    /// In bytes, of a stored record in an answer. A long answer takes its memory at once.
    private static let usualLength = 208

    private func answer(_ recipients: [RecipientID], _ stored: [ConsentRecord]) -> Response {
        .json(.created) { writer in
            writer.reserve(recipients.count * Self.usualLength)
            writer.object { writer in
                writer.key("consents")
                writer.array { writer in
                    for (recipient, stored) in zip(recipients, stored) { writer.stored(stored, about: recipient) }
                }
            }
        }
    }

    private func importLines(_ call: AuthenticatedRequest, _ organization: OrganizationID) -> Response {
        let lines = ConsentLines(
            organization: organization, organizations: organizations, recording: recording,
            recordingTime: recordingTime,
            validity: call.validity,
            logger: call.context.logger, channel: call.context.channel)
        let body = ArrivingBody(call)
        return .lines { writer in
            try await lines.pipeline.run(body, LineSplitter(limit: ConsentLines.maximumLength), to: &writer)
        }
    }

    /// How many records of a recipient are read and written at once. With the longest evidence they take 7 MB.
    private static let recordsAtOnce = 200

    @Sendable private func query(_ call: AuthenticatedRequest) async throws -> Response {
        let asked = try await call.json(as: .recipientAlone)
        let organization = try await organizations.known(try call.organization).id
        let recipient = try await consent.firstName(of: asked, in: organization) ?? asked
        let ids = try await consent.recordIDs(of: recipient, in: organization)
        let first = try await consent.records(Array(ids.prefix(Self.recordsAtOnce)), in: organization)
        try await accesses.record(.consents, of: recipient, call)
        var current = CurrentConsents(at: now())
        for record in first { current.add(record) }
        let rest = ids.dropFirst(Self.recordsAtOnce)
        guard rest.isEmpty else {
            return longHistory(of: recipient, first, rest, current, in: organization, call.validity)
        }
        return .json { writer in
            writer.object { writer in
                writer.member("recipient", recipient.text)
                writer.key("current")
                writer.current(current)
                writer.key("history")
                writer.array { $0.history(first, of: recipient) }
            }
        }
    }

    /// Written while it is read, since it may be of any length. The consent in force comes last: it is known only then.
    private func longHistory(
        of recipient: RecipientID, _ first: [ConsentRecord], _ rest: ArraySlice<ConsentRecordID>,
        _ current: CurrentConsents, in organization: OrganizationID, _ validity: CallerValidity
    ) -> Response {
        .streamed(.json) { body in
            var (records, rest, current) = (first, rest, current)
            var writer = JSONWriter()
            writer.beginObject()
            writer.member("recipient", recipient.text)
            writer.key("history")
            writer.beginArray()
            writer.history(records, of: recipient)
            while !rest.isEmpty {
                try await body.write(ByteBuffer(bytes: writer.takeBytes()))
                try await validity.check()
                records = try await consent.records(Array(rest.prefix(Self.recordsAtOnce)), in: organization)
                rest = rest.dropFirst(Self.recordsAtOnce)
                for record in records { current.add(record) }
                writer.history(records, of: recipient)
            }
            writer.endArray()
            writer.key("current")
            writer.current(current)
            writer.endObject()
            try await body.write(ByteBuffer(bytes: writer.takeBytes()))
        }
    }

    @Sendable private func erase(_ call: AuthenticatedRequest) async throws -> Response {
        let recipient = try await call.json(as: .recipientAlone)
        let organization = try await organizations.known(try call.organization).id
        let erasure = try await recording.erase(recipient, in: organization) { erasure in
            call.details.add("consents", erasure.consents)
            call.details.add("decisions", erasure.decisions)
            call.details.add("interactions", erasure.interactions)
        }
        return .json { writer in writer.object { $0.members(of: erasure) } }
    }
}

extension JSONWriter {
    fileprivate mutating func history(_ records: [ConsentRecord], of recipient: RecipientID) {
        for record in records { object { $0.members(of: record, about: recipient) } }
    }
}

extension JSONShape where Value == RecipientID {
    /// `{"recipient":"…"}`
    static var recipientAlone: JSONShape {
        .object { fields throws(BodyProblems) in
            let recipient = fields.required("recipient", .string(RecipientID.init))
            try fields.finish()
            return try recipient.get()
        }
    }
}
