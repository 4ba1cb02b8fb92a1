import Consent

/// The texts of the record of processing activities.
struct ProcessingTexts: Sendable {
    let title: String
    let lead: String
    let asOf: String
    let print: String
    let caption: String
    let section: String
    let item: String
    let entry: String
    let activity: String
    let controller: String
    let contact: String
    let toBeAdded: String
    let purposes: String
    let noPurposes: String
    let basis: String
    let basisOf: @Sendable (Enforcement) -> String
    let evidence: String
    let evidenceRequired: String
    let evidenceOptional: String
    let gpc: String
    let gpcHonored: String
    let gpcIgnored: String
    let askAgain: String
    let days: @Sendable (Int) -> String
    let data: String
    let subjects: String
    let subjectsAre: String
    let identifier: String
    let inFolder: String
    let onServer: String
    let comparedAsEmail: String
    let comparedExactly: String
    let consents: String
    let consentsAre: String
    let decisions: String
    let decisionsAre: String
    let interactions: String
    let interactionsAre: String
    let accesses: String
    let accessesAll: String
    let accessesConsole: String
    let notStored: String
    let notStoredAre: String
    let periods: String
    let untilErasure: String
    let personDropped: @Sendable (Int) -> String
    let removed: @Sendable (Int) -> String
    let forEver: String
    let links: String
    let backups: String
    let backupsAre: String
    let recipients: String
    let endpoints: String
    let noEndpoints: String
    let endpoint: @Sendable (_ kinds: String, _ includesRecipient: Bool, _ isEnabled: Bool) -> String
    let others: String
    let noOthers: String
    let thirdCountries: String
    let measures: String
    let pseudonyms: String
    let pseudonymsAre: String
    let integrity: String
    let integrityIs: String
    let accessControl: String
    let accessControlIs: String
    let storage: String
    let storageEmbedded: String
    let storageServer: String
    let transport: String
    let transportIs: @Sendable (_ origin: String) -> String
    let rights: String
    let withdrawal: String
    let withdrawalIs: @Sendable (_ origin: String) -> String
    let access: String
    let accessIs: String
    let erasure: String
    let erasureIs: String
    let consentPage: String
    let noConsentPage: String
}
