import SQLiteFiles
import SystemPackage

/// Whether the databases of a data folder are sound, read while no service has the folder. Changes nothing in it.
struct DatabaseFilesDiagnosis {
    private let path: String
    private let isFree: () -> Bool

    /// - Parameter isFree: whether no service has the folder. Asked once more when all is read: a start in the meantime
    ///   changes the files.
    init(folder: String, isFree: @escaping () -> Bool) {
        path = folder
        self.isFree = isFree
    }

    /// One entry for each database that is there. Reads each from beginning to end, which takes as long as the disk needs
    /// for that.
    var entries: [DiagnosisEntry] {
        let entries = FolderDatabases.names.compactMap { name -> DiagnosisEntry? in
            guard let file = FileStatus("\(path)/\(name)"), file.type == .regular, file.size > 0 else { return nil }
            return entry(name, FileCheck(path: "\(path)/\(name)"))
        }
        return isFree() ? entries : []
    }

    private func entry(_ name: String, _ check: FileCheck) -> DiagnosisEntry {
        switch check {
        case .sound: DiagnosisEntry("database", "\(name) was read from beginning to end and is sound")
        case .unchecked:
            DiagnosisEntry("database", "\(name) was not checked: the next start first writes its log back")
        case .foreignCode:
            DiagnosisEntry(
                "database", "\(FolderFinding(name, .foreignCode))",
                remedy: FolderFinding(name, .foreignCode).remedy(in: path))
        case .damaged(let what):
            DiagnosisEntry(
                "database", "\(name) is damaged: \(what)", remedy: FolderFinding(name, .damaged).remedy(in: path))
        }
    }
}
