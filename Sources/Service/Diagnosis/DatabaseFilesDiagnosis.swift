import LocalFiles
import SQLiteFiles
import SystemPackage

/// Checks whether the databases of a data folder are intact, and can be opened by a start. Changes nothing in it.
struct DatabaseFilesDiagnosis {
    private let path: String
    private let isFree: () -> Bool

    /// - Parameter isFree: whether no service uses the folder. Called again when all is read: a start meanwhile changes
    ///   the files.
    init(folder: String, isFree: @escaping () -> Bool) {
        path = folder
        self.isFree = isFree
    }

    /// What the next start would refuse in the schemas of databases that a service uses. It does not change what the
    /// service does, and the service itself does not notice it.
    var entriesInUse: [DiagnosisEntry] { FolderDatabases.schemaFindings(in: path).map(entry) }

    /// One entry for each existing database, and for each log that has certainly lost commits, while no service uses the
    /// folder. Reads each from beginning to end, which takes as long as the disk needs for that.
    var entries: [DiagnosisEntry] {
        let entries = FolderDatabases.names.flatMap { name -> [DiagnosisEntry] in
            guard let file = FileStatus("\(path)/\(name)"), file.type == .regular, file.size > 0 else { return [] }
            let check = FileCheck(path: "\(path)/\(name)", schema: FolderDatabases.schema(of: name))
            return [entry(name, check)] + lostCommits(name)
        }
        return isFree() ? entries : []
    }

    private func lostCommits(_ name: String) -> [DiagnosisEntry] {
        do throws(DataFolderError) {
            guard let finding = try DamagedLog(of: name, in: path)?.finding else { return [] }
            return [DiagnosisEntry("database", finding.description, remedy: finding.remedy(in: path))]
        } catch {
            return [DiagnosisEntry("database", error.description, remedy: "See why (dmesg): the disk may be failing.")]
        }
    }

    private func entry(_ finding: FolderFinding) -> DiagnosisEntry {
        DiagnosisEntry("database", finding.description, remedy: finding.remedy(in: path))
    }

    private func entry(_ name: String, _ check: FileCheck) -> DiagnosisEntry {
        switch check {
        case .sound: DiagnosisEntry("database", "\(name) was read from beginning to end and is sound")
        case .unchecked:
            DiagnosisEntry("database", "\(name) was not checked: the next start first writes its log back")
        case .foreignCode: entry(FolderFinding(name, .foreignCode))
        case .foreignSchema(let difference): entry(FolderFinding(name, .foreignSchema(difference)))
        case .foreignFile: entry(FolderFinding(name, .foreign))
        case .newer: entry(FolderFinding(name, .newer))
        case .unreadable(let reason):
            DiagnosisEntry(
                "database", "\(name) cannot be read to its end: \(reason)",
                remedy: """
                    See why (dmesg): the disk may be failing. If it stays so, restore the newest backup into an empty \
                    folder on another disk.
                    """)
        case .damaged(let what):
            DiagnosisEntry(
                "database", "\(name) is damaged: \(what)", remedy: FolderFinding(name, .damaged).remedy(in: path))
        }
    }
}
