import Consent
import Identifiers
import Interactions
import Pages
import Reports

/// The report of an organization's consents for its page, in one language.
struct ConsentReportView: Sendable {
    let selection: ConsentReportSelection
    let counts: ConsentCounts
    let language: ConsoleLanguage

    var texts: ConsentTexts { ConsentTexts.all[language] }
    var format: NumberFormat { NumberFormat(language: language) }

    /// The records of given consents in the period.
    var given: Int { counts.evidence.values.countSum }
    var withEvidence: Int { counts.evidence[.methodAndNotice] ?? 0 }

    /// How many records of a status count from a day of the period on; for `expired`, how many consents expired.
    func flow(_ status: CountedStatus) -> Int { counts.days.map { $0.flow(status) }.countSum }

    func stock(_ status: CountedStatus) -> Int { counts.days.last?.stock[status] ?? 0 }

    func ending(within days: Int64) -> Int { counts.ending[days] ?? 0 }
}

extension ConsentCounts.Day {
    /// How many got a status on the day.
    func flow(_ status: CountedStatus) -> Int {
        switch status {
        case .given: records[.given] ?? 0
        case .refused: records[.refused] ?? 0
        case .withdrawn: records[.withdrawn] ?? 0
        case .revoked: records[.revoked] ?? 0
        case .invalidated: records[.invalidated] ?? 0
        case .expired: expired
        }
    }
}
