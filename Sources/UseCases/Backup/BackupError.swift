/// Why there is no backup. Nothing of it is left under a backup's name.
package enum BackupError: Error, CustomStringConvertible {
    case underWay
    case cannotWrite
    /// Each attempt was overtaken by an erasure.
    case overtaken
    case serviceIsEnding

    package var description: String {
        switch self {
        case .underWay: "A backup is being made already."
        case .cannotWrite: "The folder for backups cannot be written: see its owner, its rights and its disk."
        case .overtaken: "People were erased while the backup was made, and it must not keep them. Please try again."
        case .serviceIsEnding: "The service is ending."
        }
    }
}
