import Consent

extension ProcessingTexts {
    static let all = Wording(english: english, german: german)

    private static let english = ProcessingTexts(
        title: "Processing record",
        lead: """
            The part of this service in your record of processing activities (Art. 30 GDPR), from the settings in \
            force. It is not legal advice.
            """,
        asOf: "As of", print: "Print it with your browser: only the sheet is printed.",
        caption: "Record of processing", section: "Section", item: "Item", entry: "Entry",
        activity: "Processing activity", controller: "Controller", contact: "Contact, data protection officer",
        toBeAdded: "To be added by the controller.", purposes: "Purposes that messages ask consent for",
        noPurposes: "No message has been made yet.", basis: "Who is tracked",
        basisOf: { enforcement in
            switch enforcement {
            case .restrictive: "Only people who gave consent (restrictive): Art. 6 (1) (a) GDPR."
            case .nonRestrictive:
                "All people who did not refuse (nonRestrictive): the controller must name another lawful basis."
            }
        },
        evidence: "Evidence of consent",
        evidenceRequired: "Required: no consent is recorded without its method and its notice.",
        evidenceOptional: "Optional: a consent may be recorded without its method.",
        gpc: "Global Privacy Control", gpcHonored: "Sec-GPC: 1 counts as a no for that click.",
        gpcIgnored: "Not taken into account.", askAgain: "Pause before a person is asked about a purpose again",
        days: { ProcessingTexts.englishDays($0) }, data: "People and data", subjects: "Data subjects",
        subjectsAre: "Recipients of the controller’s messages.", identifier: "Identifier of the recipient",
        inFolder: """
            As the controller’s backend gave it, in one table of the database in the service’s data folder; all other \
            data has a random number instead.
            """,
        onServer: """
            As the controller’s backend gave it, sealed under a key that the database server does not have; all other \
            data has a random number instead.
            """,
        comparedAsEmail: "E-mail addresses are compared as such.", comparedExactly: "It is compared byte for byte.",
        consents: "Consent records", consentsAre: "State, purpose, times, and evidence: method, notice, language.",
        decisions: "Decisions to track", decisionsAre: "Reason, enforcement, time, message, clicks or opens.",
        interactions: "Interactions",
        interactionsAre: "Kind, time, message, link, name of a button, and whether a person or a machine caused it.",
        accesses: "Looks at people",
        accessesAll: "Who looked at which person, when, at what and why: in the console and in the API.",
        accessesConsole: """
            Who looked at which person, when, at what and why: in the console. Looks in the API are not recorded.
            """,
        notStored: "Not stored",
        notStoredAre: """
            IP addresses, browsers’ names and versions, device and advertising ids, cookies, referrers, clicks of \
            people who may not be tracked.
            """,
        periods: "How long it is kept", untilErasure: "Until the person is erased; a record without its person stays.",
        personDropped: { "\(ProcessingTexts.englishDays($0)); then they no longer name the person." },
        removed: { "\(ProcessingTexts.englishDays($0)); then they are removed." },
        forEver: "Until the person is erased: no period is set.",
        links: "Links record for", backups: "Backups", backupsAre: "Until the operator deletes them.",
        recipients: "Who receives data", endpoints: "Endpoints (webhooks)", noEndpoints: "No endpoint gets data.",
        endpoint: { kinds, includesRecipient, isEnabled in
            let person = includesRecipient ? "with the recipient’s identifier" : "without the recipient’s identifier"
            return "\(kinds), \(person)\(isEnabled ? "" : "; switched off")."
        },
        others: "Others",
        noOthers: "The service sends nothing to third parties: no statistics, no errors, no look-ups.",
        thirdCountries: "Third countries", measures: "Technical and organizational measures (Art. 32)",
        pseudonyms: "Pseudonyms",
        pseudonymsAre: "Links contain an encrypted, signed tracking ID that says nothing without the service’s keys.",
        integrity: "Integrity",
        integrityIs: """
            Consent, decisions and looks stand in an append-only ledger with signed checkpoints, as commitments that \
            name no person.
            """,
        accessControl: "Access control",
        accessControlIs: """
            Keys with scopes, kept as hashes; sessions of 30 minutes idle and 12 hours in all; each administrative act \
            is logged.
            """,
        storage: "Storage",
        storageEmbedded: "Files that only the service’s user can read, durable before a click is answered.",
        storageServer: """
            A PostgreSQL server; identifiers and evidence are sealed under a key that the server never has.
            """,
        transport: "Transport", transportIs: { "Links begin with \($0)." }, rights: "Rights of the people",
        withdrawal: "Withdrawal",
        withdrawalIs: { "A page below \($0)/p/, without an account, from every message that has its address." },
        access: "Access and portability", accessIs: "An export of everything about one person, as one document.",
        erasure: "Erasure",
        erasureIs: "At once, in all files; backups from before keep the person until they are deleted.",
        consentPage: "Page to agree", noConsentPage: "None is set.")

    private static func englishDays(_ count: Int) -> String { count == 1 ? "1 day" : "\(count) days" }
}
