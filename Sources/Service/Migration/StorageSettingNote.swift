/// Notes the setting `storage` of a service in its folder's manifest, for `consentlink migrate`.
struct StorageSettingNote {
    let folder: String

    /// Must be called when the service has opened its databases. On disk on return.
    func write(_ setting: String) throws(DataFolderError) {
        let file = SecretFile(path: "\(folder)/\(FolderFile.manifest)")
        guard let bytes = try file.read(), var manifest = try? FolderManifest(bytes), manifest.setting != setting else {
            return
        }
        manifest.setting = setting
        try file.write(manifest.bytes)
    }
}

extension FolderManifest {
    /// The running service must find its database by its own setting while it is moved, and afterwards.
    /// - Parameter database: the present place of the main database.
    func requireSetting(naming database: String) throws(StorageMigrationError) {
        guard let setting else { return }
        guard StorageChoice.areSame(move?.counting(for: setting) ?? setting, database) else {
            throw .otherSetting(setting)
        }
    }
}
