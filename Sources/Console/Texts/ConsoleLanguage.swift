import Pages

/// The languages of the console. Texts of an organization itself are not translated.
enum ConsoleLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"

    var ownName: String {
        switch self {
        case .english: "English"
        case .german: "Deutsch"
        }
    }

    /// - Parameter acceptLanguage: the value of the header field; it may be hostile.
    init(acceptLanguage: String) {
        self = PageLanguage(acceptLanguage: acceptLanguage.utf8Span.span) == .german ? .german : .english
    }
}

/// A text in each language of the console: a missing language is a compile error.
struct Wording<Texts: Sendable>: Sendable {
    let english: Texts
    let german: Texts

    subscript(language: ConsoleLanguage) -> Texts {
        switch language {
        case .english: english
        case .german: german
        }
    }
}
