import PostgresClient

/// The settings of a service, and what its folder says about its storage.
package struct SettingsInForce: Sendable {
    package let settings: ServiceSettings
    /// Whether the main database is moved to another storage: nothing may write to it.
    let isMigrating: Bool
    /// The database that it is moved to; `nil` while it is not moved.
    let migrationTarget: MigrationTarget?
    private let given: ServiceSettings

    /// A service continues with its old settings while its storage is moved and afterwards: if `storage` names one of
    /// the two databases, the one that counts is used.
    ///
    /// - Parameter environment: has the password of a server if no file has it.
    /// - Throws: ``SettingError`` for the password file that the move noted.
    package init(_ given: ServiceSettings, environment: [String: String]) throws(SettingError) {
        self.given = given
        let move = FolderManifest.read(in: given.dataFolder)?.move
        isMigrating = move.map { !$0.isDone } ?? false
        migrationTarget = MigrationTarget(move, given, environment)
        guard let move, let storage = move.counting(for: given.storageText) else {
            settings = given
            return
        }
        var settings = given
        settings.storageText = storage
        settings.storage = try StorageChoice(
            storage, durability: given.durability, passwordFile: given.storagePasswordFile ?? move.passwordFile,
            environment: environment)
        self.settings = settings
    }

    /// A service on the embedded store shares it with no other: a setting that counts only on a server would promise
    /// more than holds. A service that was moved from a server continues with its old settings.
    ///
    /// - Throws: ``SettingError`` for the first such setting.
    package func requireEffect() throws(SettingError) {
        guard given.storage.kind == .sqlite, settings.storage.kind == .sqlite else { return }
        guard settings.durability == .local else {
            throw SettingError(
                name: "durability", expected: "must be local unless storage names a PostgreSQL database with standbys")
        }
        guard settings.peerAddress == nil else {
            throw SettingError(
                name: "peer-address", expected: "must not be set unless storage names the PostgreSQL database of nodes")
        }
    }

    /// Whether the setting `storage` does not name the present place of the database.
    var isOutdated: Bool { settings.storageText != given.storageText }

    /// The setting `storage` as it was given.
    var givenStorage: String { given.storageText }

    /// Whether the folder still says the same.
    var isUnchanged: Bool {
        let move = FolderManifest.read(in: given.dataFolder)?.move
        return isMigrating == (move.map { !$0.isDone } ?? false)
            && settings.storageText == move?.counting(for: given.storageText) ?? given.storageText
    }
}
