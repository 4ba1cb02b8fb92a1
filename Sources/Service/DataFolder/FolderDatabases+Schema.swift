import LocalFiles
import SQLiteFiles
import SystemPackage

extension FolderDatabases {
    /// What a start would refuse in the schemas of the databases of a data folder or a backup. A service may use them
    /// meanwhile: nothing in the folder is changed. Blocks the thread for some milliseconds.
    ///
    /// Another program can change a schema while the service runs, without an effect on it until its next start.
    static func schemaFindings(in folder: String, of storage: StorageKind = .sqlite) -> [FolderFinding] {
        names(of: storage).compactMap { name in
            let path = "\(folder)/\(name)"
            guard let file = FileStatus(path), file.type == .regular, file.size > 0, let schema = schema(of: name)
            else { return nil }
            return FileCheck(comparing: path, with: schema).schemaFault.map { FolderFinding(name, $0) }
        }
    }
}

extension FileCheck {
    /// What a start would refuse in the schema of the file; `nil` if nothing is known of it.
    var schemaFault: FolderFinding.Fault? {
        switch self {
        case .foreignCode: .foreignCode
        case .foreignSchema(let difference): .foreignSchema(difference)
        case .foreignFile: .foreign
        case .newer: .newer
        case .sound, .damaged, .unchecked, .unreadable: nil
        }
    }
}
