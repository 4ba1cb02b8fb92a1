import Mustache
import Pages

/// The templates of the pages, which are part of the program.
enum Templates {
    static let library: MustacheLibrary = {
        var library = MustacheLibrary()
        MustacheContentTypes.register(ScalarHTML(), named: "ScalarHTML")
        for (name, bytes) in sources {
            do {
                try library.register(
                    "{{% CONTENT_TYPE:ScalarHTML}}" + String(decoding: bytes, as: UTF8.self), named: name)
            } catch {
                preconditionFailure("the template \(name) cannot be read: \(error)")
            }
        }
        return library
    }()

    /// By the names that pages and other templates use.
    private static let sources: [(String, [UInt8])] = [
        ("frame", PackageResources.frame_mustache),
        ("sign-in", PackageResources.sign_in_mustache),
        ("sign-in-link", PackageResources.sign_in_link_mustache),
        ("confirm", PackageResources.confirm_mustache),
        ("sessions", PackageResources.sessions_mustache),
        ("campaigns", PackageResources.campaigns_mustache),
        ("message", PackageResources.message_mustache),
        ("consent", PackageResources.consent_mustache),
        ("person", PackageResources.person_mustache),
        ("person-case", PackageResources.person_case_mustache),
        ("person-erased", PackageResources.person_erased_mustache),
        ("decisions", PackageResources.decisions_mustache),
        ("decision-sample", PackageResources.decision_sample_mustache),
        ("ledger", PackageResources.ledger_mustache),
        ("looks", PackageResources.looks_mustache),
        ("look", PackageResources.look_mustache),
        ("health", PackageResources.health_mustache),
        ("organizations", PackageResources.organizations_mustache),
        ("signing-keys", PackageResources.signing_keys_mustache),
        ("upkeep", PackageResources.upkeep_mustache),
        ("keys", PackageResources.keys_mustache),
        ("processing", PackageResources.processing_mustache),
        ("secret", PackageResources.secret_mustache),
        ("refusal", PackageResources.refusal_mustache),
    ]

    static func render(_ name: String, _ view: Any) -> String {
        guard let text = library.render(view, withTemplate: name) else {
            preconditionFailure("there is no template \(name)")
        }
        return text
    }
}

/// HTML in which each scalar is escaped, and characters that are not seen are named. The library's own type
/// treats a character with a combining mark as another character, and does not escape it.
///
/// What an input sends again must stay as it was typed: templates have it as HTML (`{{{tag}}}`), from
/// `escapedForHTML`.
private struct ScalarHTML: MustacheContentType {
    func escapeText(_ text: String) -> String { text.withUnseenCharactersNamed.escapedForHTML.text }
}
