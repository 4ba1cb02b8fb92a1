import Consent
import Identifiers
import JSON
import Webhooks

extension JSONShape where Value == NewEndpoint {
    /// `{"url":"https://…","kinds":["consent.recorded"],"include":["recipient"]}`
    static var newEndpoint: JSONShape {
        .object { fields throws(BodyProblems) in
            let url = fields.required("url", .string(EndpointURL.init))
            let kinds = fields.required("kinds", .eventKinds)
            let include = fields.optional("include", .includedMembers, default: [])
            try fields.finish()
            return NewEndpoint(
                url: try url.get(), kinds: try kinds.get(), includesRecipient: include.contains(.recipient))
        }
    }
}

extension JSONShape where Value == EndpointChange {
    static var endpointChange: JSONShape {
        .object { fields throws(BodyProblems) in
            let change = EndpointChange(
                url: fields.optional("url", .string(EndpointURL.init)), kinds: fields.optional("kinds", .eventKinds),
                includesRecipient: fields.optional("include", .includedMembers).map { $0.contains(.recipient) })
            try fields.finish()
            return change
        }
    }
}

/// What the events of an endpoint may contain besides ids and times.
enum IncludedMember: String, CaseIterable {
    case recipient
}

extension JSONShape where Value == [IncludedMember] {
    static var includedMembers: JSONShape {
        .array(of: JSONShape<IncludedMember>.choice, count: 0...IncludedMember.allCases.count)
    }
}

extension JSONShape where Value == Set<EventKind> {
    static var eventKinds: JSONShape {
        let kinds = JSONShape<[SelectableKind]>.array(
            of: JSONShape<SelectableKind>.choice, count: 1...SelectableKind.allCases.count)
        return JSONShape { value, pointer throws(BodyProblems) in
            Set(try kinds.read(value, at: pointer).map(\.kind))
        }
    }
}

/// A kind that an endpoint may ask for.
private struct SelectableKind: RawRepresentable, CaseIterable {
    static let allCases = EventKind.selectable.map { SelectableKind(kind: $0) }

    let kind: EventKind

    private init(kind: EventKind) { self.kind = kind }

    init?(rawValue: String) {
        guard let kind = EventKind(rawValue: rawValue), EventKind.selectable.contains(kind) else { return nil }
        self.kind = kind
    }

    var rawValue: String { kind.rawValue }
}

extension JSONWriter {
    /// - Parameter secret: only for the answers that show it.
    mutating func members(of endpoint: Endpoint, secret: EndpointSecret? = nil) {
        member("id", endpoint.id.description)
        member("url", endpoint.url.text)
        if let secret { member("secret", secret.text) }
        key("kinds")
        array { writer in
            for kind in EventKind.selectable where endpoint.kinds.contains(kind) { writer.string(kind.rawValue) }
        }
        key("include")
        array { writer in
            if endpoint.includesRecipient { writer.string(IncludedMember.recipient.rawValue) }
        }
        member("state", endpoint.state.rawValue)
        member("createdAt", endpoint.createdAt.rfc3339)
        member("cursor", endpoint.position?.cursor ?? ConsentFeedPosition.start)
        member("failures", endpoint.progress.failures)
        member("failingSince", endpoint.progress.failingSince?.rfc3339)
        let isRetried = endpoint.state == .enabled && endpoint.progress.failures > 0
        member("nextAttemptAt", isRetried ? endpoint.progress.dueAt.rfc3339 : nil)
        member("formerSecretUntil", endpoint.formerSecretUntil?.rfc3339)
    }

    mutating func members(of attempt: DeliveryAttempt) {
        member("at", attempt.instant.rfc3339)
        member("kind", attempt.kind.rawValue)
        member("webhookId", attempt.webhookID)
        switch attempt.outcome {
        case .answered(let status, _):
            member("status", status)
            member("reason", nil as String?)
        case .failed(let failure):
            member("status", nil as Int?)
            member("reason", failure.rawValue)
        }
        member("milliseconds", attempt.milliseconds)
    }
}
