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
    /// - Parameters:
    ///   - environment: has the password of a server if no file has it.
    ///   - isOfAnyUser: whether the folder may be another user's, and may be damaged, because it is only inspected.
    /// - Throws: ``SettingError`` for the password file that the move noted; ``DataFolderError`` if the folder does not
    ///   tell whether there is a move.
    package init(_ given: ServiceSettings, environment: [String: String], isOfAnyUser: Bool = false) throws {
        self.given = given
        let move = try isOfAnyUser ? FolderManifest.seen(in: given.dataFolder)?.move : Self.move(in: given.dataFolder)
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

    private static func move(in folder: String) throws(DataFolderError) -> FolderMigration? {
        do throws(DataFolderError) {
            return try FolderManifest.read(in: folder)?.move
        } catch {
            // If the whole folder is not the service's, this throws a finding that says so instead.
            try FolderInspection(of: folder).requireUsable()
            throw error
        }
    }

    /// A service on the embedded store shares it with no other: a setting that has an effect only on a server would
    /// make a promise that is not kept. A service that was moved from a server continues with its old settings.
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
    func isUnchanged() throws(DataFolderError) -> Bool {
        let move = try FolderManifest.read(in: given.dataFolder)?.move
        return isMigrating == (move.map { !$0.isDone } ?? false)
            && settings.storageText == move?.counting(for: given.storageText) ?? given.storageText
    }
}
