/// Why there is no backup. Nothing is left under a backup's name.
package enum BackupError: Error, CustomStringConvertible {
    case underWay
    case cannotWrite
    /// The disk of the folder for backups has too little room for one, in bytes. `needed` has what the data folder needs
    /// beside it on that disk.
    case noRoom(needed: UInt64, free: UInt64)
    /// An erasure happened during each attempt.
    case overtaken
    case serviceIsEnding
    /// A service could not start on it, because of these files of the data folder.
    case unusable([Flaw])
    /// A service could not start on it, because another program changed the tables of these databases while the service
    /// was running.
    /// Each flaw says what to do.
    case changed([Flaw])

    /// The fault of a file, in a sentence that names the file.
    package struct Flaw: Hashable, Sendable {
        package let file: String
        let text: String

        package init(file: String, text: String) {
            self.file = file
            self.text = text
        }
    }

    package var description: String {
        switch self {
        case .underWay: "A backup is being made already."
        case .cannotWrite: "The folder for backups cannot be written: see its owner, its rights and its disk."
        case .noRoom(let needed, let free):
            """
            There is no room for a backup: \(needed >> 20 + 1) MiB must be free, with what disk-floor keeps for the \
            service, and \(free >> 20) MiB are.
            """
        case .overtaken: "People were erased while the backup was made, and it must not keep them. Please try again."
        case .serviceIsEnding: "The service is ending."
        case .unusable(let flaws):
            """
            There is no new backup, because it could not be restored: \(flaws.map(\.text).joined(separator: "; ")). \
            Put these files of the data folder back from an older backup before the service ends, and make a backup \
            again. consentlink doctor finds what else is wrong.
            """
        case .changed(let flaws):
            """
            There is no new backup, because no service could start on it, nor on the data folder as it is: \
            \(flaws.map(\.text).joined(separator: " "))
            """
        }
    }
}
