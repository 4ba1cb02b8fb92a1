/// A language in which the pages for people are written. The raw values are the positions of the cases.
package enum PageLanguage: Int, CaseIterable, Hashable, Sendable {
    case czech
    case danish
    case german
    case english
    case spanish
    case finnish
    case french
    case italian
    case dutch
    case polish
    case portuguese
    case swedish

    /// The language for a reader who accepts none of them.
    package static let fallback = PageLanguage.english

    /// The language's tag (BCP 47): two lower-case letters.
    package var tag: String {
        switch self {
        case .czech: "cs"
        case .danish: "da"
        case .german: "de"
        case .english: "en"
        case .spanish: "es"
        case .finnish: "fi"
        case .french: "fr"
        case .italian: "it"
        case .dutch: "nl"
        case .polish: "pl"
        case .portuguese: "pt"
        case .swedish: "sv"
        }
    }

    /// The language's name in the language itself, for its speakers to find in a list.
    package var ownName: String {
        switch self {
        case .czech: "Čeština"
        case .danish: "Dansk"
        case .german: "Deutsch"
        case .english: "English"
        case .spanish: "Español"
        case .finnish: "Suomi"
        case .french: "Français"
        case .italian: "Italiano"
        case .dutch: "Nederlands"
        case .polish: "Polski"
        case .portuguese: "Português"
        case .swedish: "Svenska"
        }
    }
}
