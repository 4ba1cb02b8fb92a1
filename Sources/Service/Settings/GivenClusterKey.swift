import Cryptography
import Foundation
import LocalFiles

/// The setting `cluster-key`: a file, and the key that was in it when the settings were read. The file is read once
/// only, because it may be a pipe.
struct GivenClusterKey: Sendable {
    private static let setting = "cluster-key"

    let file: String
    /// `nil` if there is no such file: a data folder that has its own key needs none.
    let key: SecretBytes?

    /// - Throws: ``SettingError`` if there is such a file, and other users can read or change it, or it contains no
    ///   key.
    init(file: String) throws(SettingError) {
        self.file = file
        guard FileStatus.Presence(file, followsLink: true) != .missing else {
            key = nil
            return
        }
        let bytes = Array(try SettingSecret.bytes(in: file, setting: Self.setting))
        do throws(FolderFinding.Fault) {
            key = try FolderSecrets.clusterKey(bytes)
        } catch {
            throw SettingError(name: Self.setting, expected: "must name a file with 64 hexadecimal digits")
        }
    }

    /// The key, for a node that has none of its own.
    func required() throws(SettingError) -> SecretBytes {
        guard let key else { throw SettingError(name: Self.setting, expected: "must name a file that exists") }
        return key
    }
}
