import Console
import Cryptography
import Foundation
import Messages
import OpenIDConnect

extension ServiceSettings {
    static let providerNames = [
        "console-oidc-issuer", "console-oidc-client-id", "console-oidc-client-secret-file", "console-oidc-roles-claim",
        "console-oidc-roles",
    ]

    /// The provider of the console's accounts. Either all of its settings are given, except the secret, or none.
    mutating func readProvider(_ setting: (String) -> String?) throws(SettingError) {
        for name in Self.providerNames { consoleProviderTexts[name] = setting(name) }
        guard !consoleProviderTexts.isEmpty else { return }
        for name in Self.providerNames where name != "console-oidc-client-secret-file" {
            guard consoleProviderTexts[name] != nil else {
                throw SettingError(name: name, expected: "must be set if any setting console-oidc-… is set")
            }
        }
        guard let origin = consoleURL?.text ?? consoleListen.flatMap({ $0.port == 0 ? nil : "http://\($0)" }) else {
            throw SettingError(name: "console-url", expected: "must be set: the provider sends browsers there")
        }
        let text = { [consoleProviderTexts] in consoleProviderTexts[$0] ?? "" }
        let claim = try Self.provider("console-oidc-roles-claim") { () throws(ProviderSettingsError) in
            try RolesClaim(text("console-oidc-roles-claim"))
        }
        let entries = text("console-oidc-roles").split(separator: ";").map {
            $0.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let roles = try Self.provider("console-oidc-roles") { () throws(ProviderSettingsError) in
            try RoleMapping(entries.filter { !$0.isEmpty })
        }
        let secret = try consoleProviderTexts["console-oidc-client-secret-file"].map { path throws(SettingError) in
            SecretBytes(Array(try SettingSecret.text(in: path, setting: "console-oidc-client-secret-file").utf8))
        }
        consoleProvider = try Self.provider("console-oidc-issuer") { () throws(ProviderSettingsError) in
            try ProviderSettings(
                issuer: text("console-oidc-issuer"), clientID: text("console-oidc-client-id"), clientSecret: secret,
                redirectURI: origin + Console.providerAnswerPath, rolesClaim: claim, roles: roles)
        }
    }

    /// - Parameter name: the setting to name if the error does not name one.
    private static func provider<Value>(
        _ name: String, _ make: () throws(ProviderSettingsError) -> Value
    ) throws(SettingError) -> Value {
        do throws(ProviderSettingsError) { return try make() } catch {
            throw SettingError(name: error == .clientID ? "console-oidc-client-id" : name, expected: error.description)
        }
    }
}
