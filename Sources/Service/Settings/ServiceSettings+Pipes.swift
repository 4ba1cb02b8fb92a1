import LocalFiles
import SystemPackage

extension ServiceSettings {
    /// Settings are read again when a service starts again, and a pipe can be read only once.
    ///
    /// - Parameter config: the settings file that the service was started with.
    /// - Throws: ``SettingError`` for the first that comes from a pipe.
    package func requireNoPipes(config: String?) throws(SettingError) {
        let files = [
            ("config", config), ("storage-password-file", storagePasswordFile), ("cluster-key", clusterKey?.file),
            ("console-oidc-client-secret-file", consoleProviderTexts["console-oidc-client-secret-file"]),
        ]
        for (name, path) in files {
            guard let path, FileStatus(following: path)?.type == .fifo else { continue }
            throw SettingError(
                name: name,
                expected: "must name a file that can be read again, not a pipe: end the service, and start it")
        }
    }
}
