import Consent
import Identifiers
import Organizations
import Webhooks

/// The part of an organization's record of processing activities (Art. 30 GDPR) that follows from its settings.
struct ProcessingSheet {
    struct Entry {
        /// The name in CSV and JSON: it is the same in every language.
        let name: String
        let title: String
        let value: String
    }

    struct Section {
        let name: String
        let title: String
        let entries: [Entry]
    }

    let organization: Organization
    let settings: ProcessingSettings
    /// The purposes that messages ask consent for.
    let purposes: [Purpose]
    let endpoints: [Endpoint]
    let texts: ProcessingTexts

    var sections: [Section] {
        [
            section("activity", texts.activity, activity), section("data", texts.data, data),
            section("periods", texts.periods, periods), section("recipients", texts.recipients, recipients),
            section("measures", texts.measures, measures), section("rights", texts.rights, rights),
        ]
    }

    private func section(_ name: String, _ title: String, _ entries: [(String, String, String)]) -> Section {
        Section(name: name, title: title, entries: entries.map { Entry(name: $0.0, title: $0.1, value: $0.2) })
    }

    private var activity: [(String, String, String)] {
        let seen = purposes.map(\.description).joined(separator: ", ")
        return [
            ("controller", texts.controller, "\(organization.name) (\(organization.id))"),
            ("contact", texts.contact, texts.toBeAdded),
            ("purposes", texts.purposes, seen.isEmpty ? texts.noPurposes : seen),
            ("basis", texts.basis, texts.basisOf(organization.enforcement)),
            (
                "evidence", texts.evidence,
                organization.requiresEvidence ? texts.evidenceRequired : texts.evidenceOptional
            ),
            ("gpc", texts.gpc, organization.honorsGPC ? texts.gpcHonored : texts.gpcIgnored),
            ("askAgain", texts.askAgain, texts.days(organization.askAgainAfterDays)),
        ]
    }

    private var data: [(String, String, String)] {
        [
            ("subjects", texts.subjects, texts.subjectsAre), ("identifier", texts.identifier, identifier),
            ("consents", texts.consents, texts.consentsAre), ("decisions", texts.decisions, texts.decisionsAre),
            ("interactions", texts.interactions, texts.interactionsAre),
            ("accesses", texts.accesses, organization.recordsAccess ? texts.accessesAll : texts.accessesConsole),
            ("notStored", texts.notStored, texts.notStoredAre),
        ]
    }

    private var identifier: String {
        let place = settings.storage == .embedded ? texts.inFolder : texts.onServer
        return "\(place) \(organization.identifiers == .email ? texts.comparedAsEmail : texts.comparedExactly)"
    }

    private var periods: [(String, String, String)] {
        let retention = organization.retention
        return [
            ("consentsKept", texts.consents, texts.untilErasure),
            ("decisionsKept", texts.decisions, retention.decisionsDays.map(texts.personDropped) ?? texts.forEver),
            ("interactionsKept", texts.interactions, retention.interactionsDays.map(texts.removed) ?? texts.forEver),
            ("accessesKept", texts.accesses, retention.decisionsDays.map(texts.personDropped) ?? texts.forEver),
            ("linksLast", texts.links, texts.days(settings.linkLifetimeInDays)),
            ("backupsKept", texts.backups, texts.backupsAre),
        ]
    }

    private var recipients: [(String, String, String)] {
        let told = endpoints.map { endpoint in
            (
                "endpoint.\(endpoint.id)", endpoint.url.hostName,
                texts.endpoint(
                    endpoint.kinds.map(\.rawValue).sorted().joined(separator: ", "), endpoint.includesRecipient,
                    endpoint.state == .enabled)
            )
        }
        return (told.isEmpty ? [("endpoints", texts.endpoints, texts.noEndpoints)] : told) + [
            ("others", texts.others, texts.noOthers), ("thirdCountries", texts.thirdCountries, texts.toBeAdded),
        ]
    }

    private var measures: [(String, String, String)] {
        [
            ("pseudonyms", texts.pseudonyms, texts.pseudonymsAre), ("integrity", texts.integrity, texts.integrityIs),
            ("accessControl", texts.accessControl, texts.accessControlIs),
            ("storage", texts.storage, settings.storage == .embedded ? texts.storageEmbedded : texts.storageServer),
            ("transport", texts.transport, texts.transportIs(settings.linkOrigin)),
        ]
    }

    private var rights: [(String, String, String)] {
        [
            ("withdrawal", texts.withdrawal, texts.withdrawalIs(settings.linkOrigin)),
            ("access", texts.access, texts.accessIs), ("erasure", texts.erasure, texts.erasureIs),
            ("consentPage", texts.consentPage, organization.consentPage?.text ?? texts.noConsentPage),
        ]
    }
}
