import Foundation
import LocalFiles
package import PostgresClient
import SystemPackage

extension StorageChoice {
    static let embeddedName = "sqlite"
    /// Only in the environment: every user of the machine can see flags.
    static let passwordVariable = "CONSENTLINK_STORAGE_PASSWORD"

    /// - Parameters:
    ///   - text: `sqlite`, or a URL.
    ///   - passwordFile: the value of the setting `storage-password-file`, if there is one.
    /// - Throws: ``SettingError``, which repeats no value.
    package init(
        _ text: String, durability: Durability, passwordFile: String?, environment: [String: String]
    ) throws(SettingError) {
        guard text != Self.embeddedName else {
            self = .embedded
            return
        }
        let location: PostgresLocation
        do throws(PostgresLocationError) {
            location = try PostgresLocation(text)
        } catch .scheme {
            throw SettingError(name: "storage", expected: "must be sqlite, or a URL that begins with postgres://")
        } catch {
            throw SettingError(name: "storage", expected: error.description)
        }
        let password =
            try passwordFile.map { path throws(SettingError) in
                try SettingSecret.text(in: path, setting: "storage-password-file")
            } ?? environment[Self.passwordVariable]
        self = .postgres(
            PostgresSettings(
                location: location, password: password, durability: durability,
                rereading: { passwordFile.flatMap(Self.passwordNow) }))
    }

    /// The password in a file that had one; `nil` while it has none. A pipe is not read twice.
    private static func passwordNow(in path: String) -> String? {
        guard FileStatus(following: path)?.type == .regular else { return nil }
        return try? SettingSecret.text(in: path, setting: "storage-password-file")
    }
}

extension StorageChoice {
    /// Whether two values of the setting name the same database, however they are spelled. Two names of one server are
    /// two.
    static func areSame(_ one: String, _ other: String) -> Bool {
        guard one != other else { return true }
        guard let one = try? PostgresLocation(one), let other = try? PostgresLocation(other) else { return false }
        return Set(one.hosts) == Set(other.hosts) && one.database ?? one.user == other.database ?? other.user
    }
}

extension StorageKind {
    /// The storage that the setting names, without asking for a password.
    /// - Throws: ``SettingError``, which repeats no value.
    package init(setting text: String) throws(SettingError) {
        self = try StorageChoice(text, durability: .local, passwordFile: nil, environment: [:]).kind
    }
}
