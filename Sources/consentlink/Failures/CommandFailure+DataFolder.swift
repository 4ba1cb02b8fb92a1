import Foundation
import Glibc
import Service

extension CommandFailure {
    /// The faults of a data folder, for the operator: its path, every finding, and what to do.
    init(_ error: DataFolderError, folder: String) {
        if case .cannotBeMade = error, !folder.hasPrefix("/"), !Self.hasWorkingFolder {
            self.init("consentlink: data folder \(folder.shown): the working folder of this command was removed")
            return
        }
        let path = URL(filePath: folder).absoluteURL.standardized.path(percentEncoded: false)
        let shown = path.shown
        switch error {
        case .inUse(let process):
            let holder = process.map { "process \($0)" } ?? "another process"
            self.init("consentlink: data folder \(shown) is in use by \(holder)", exitCode: ExitStatus.folderUnusable)
        case .unusable(let findings):
            let lines = findings.map { "  \($0). \($0.remedy(in: path))".shown }
            self.init(
                "consentlink: data folder \(shown) cannot be used:\n" + lines.joined(separator: "\n"),
                exitCode: ExitStatus.folderUnusable)
        case .otherStorage:
            self.init("consentlink: data folder \(shown): \("\(error)".shown)", exitCode: ExitStatus.folderUnusable)
        case .unreadableBackups:
            self.init(
                """
                consentlink: data folder \(shown): \("\(error)".shown)
                If there are backups in it, the data folder is lost or not mounted, so no new one is made. Mount the \
                volumes, or let the service's user read the folder for backups. Make a new data folder only if there \
                never was one: consentlink init
                """, exitCode: ExitStatus.folderUnusable)
        case .notThere:
            self.init(
                "consentlink: there is no data folder in \(shown): name it with --data, or make one: consentlink init")
        default: self.init("consentlink: data folder \(shown): \("\(error)".shown)")
        }
    }

    private static var hasWorkingFolder: Bool {
        guard let path = getcwd(nil, 0) else { return false }
        free(path)
        return true
    }
}
