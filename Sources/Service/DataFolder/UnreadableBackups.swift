import Foundation
import LocalFiles
import SystemPackage

/// A folder for backups that exists and cannot be listed, so it is unknown whether it has backups.
package struct UnreadableBackups: Error, Hashable, CustomStringConvertible {
    let folder: String
    /// The system's reason.
    let reason: String

    package init(folder: String, reason: String) {
        self.folder = folder
        self.reason = reason
    }

    package var description: String { "the folder for backups \(folder) cannot be read: \(reason)" }

    /// The names of everything in a folder for backups; none if it does not exist.
    static func names(in folder: String) throws(UnreadableBackups) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            // A symbolic link without its target exists, too: the target's volume may not be mounted.
            guard FileStatus.Presence(folder, followsLink: false) != .missing else { return [] }
            throw UnreadableBackups(folder: folder, reason: error.systemError?.description ?? "it cannot be listed")
        }
    }
}
