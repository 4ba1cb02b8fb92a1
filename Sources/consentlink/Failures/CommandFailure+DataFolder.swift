import Foundation
import Service

extension CommandFailure {
    /// The faults of a data folder, for the operator: its path, every finding, and what to do.
    init(_ error: DataFolderError, folder: String) {
        let path = URL(filePath: folder).absoluteURL.standardized.path(percentEncoded: false)
        switch error {
        case .inUse(let process):
            let holder = process.map { "process \($0)" } ?? "another process"
            self.init("consentlink: data folder \(path) is in use by \(holder)", exitCode: ExitStatus.folderUnusable)
        case .unusable(let findings):
            let lines = findings.map { "  \($0). \($0.remedy(in: path))" }
            self.init(
                "consentlink: data folder \(path) cannot be used:\n" + lines.joined(separator: "\n"),
                exitCode: ExitStatus.folderUnusable)
        case .otherStorage:
            self.init("consentlink: data folder \(path): \(error)", exitCode: ExitStatus.folderUnusable)
        case .unreadableBackups:
            self.init(
                """
                consentlink: data folder \(path): \(error)
                If there are backups in it, the data folder is lost or not mounted, so no new one is made. Mount the \
                volumes, or let the service's user read the folder for backups. Make a new data folder only if there \
                never was one: consentlink init
                """, exitCode: ExitStatus.folderUnusable)
        case .notThere:
            self.init(
                "consentlink: there is no data folder in \(path): name it with --data, or make one: consentlink init")
        default: self.init("consentlink: data folder \(path): \(error)")
        }
    }
}
