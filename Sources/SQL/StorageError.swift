import StoragePorts

/// Why the storage cannot carry out a request. The description contains no paths, statements or values.
package enum StorageError: StoreFailure, Hashable, Sendable {
    /// An I/O error or damage. Nothing is written from then on until the service is restarted, because it is not known
    /// what a failed sync left on disk.
    case failed(EngineFault)
    /// The disk is full. The request was not carried out; the next attempt may succeed.
    case full
    /// Another process holds the database, or a reader uses an old state of it for too long.
    case busy
    /// Nothing is written while the storage is moved to another one.
    case readOnly
    /// The database has an earlier state than this process knows of, and the process has not looked at it yet. Nothing
    /// is written until then.
    case putBack
    /// Any other refusal of the engine.
    case refused(EngineFault)
    /// A file cannot be made, opened or synced. With the system's reason.
    case cannotCreateFile(reason: String)
    /// A connection does not have a setting that durability or erasure requires.
    case setting(name: String, expected: String, found: String)
    /// The database belongs to another program.
    case foreignFile
    /// A file has a trigger or a view. No version of the service makes one, and a trigger would change the effect of an
    /// acknowledged write.
    case foreignCode
    /// A file has other tables, columns, constraints or indexes than its version.
    case foreignSchema(SchemaDifference)
    /// The database was written by a later version of the service.
    case newerSchema(found: Int, known: Int)
    /// A stored value that no version of the service writes.
    case unreadable

    package var description: String {
        switch self {
        case .failed(let fault): "the storage failed and takes nothing more until a restart: \(fault)"
        case .full: "the disk is full"
        case .busy: "the storage is in use"
        case .readOnly: "the storage takes no writes while it is moved to another one"
        case .putBack:
            "the database was put back to an earlier state: it takes writes once its ledgers are compared with that"
        case .refused(let fault): "the storage refused: \(fault)"
        case .cannotCreateFile(let reason): "a file of the storage cannot be made or opened: \(reason)"
        case .setting(let name, let expected, let found):
            "the setting \(name) of the database must be \(expected) and is \(found)"
        case .foreignFile: "a file of the storage belongs to another program"
        case .foreignCode: "a file of the storage has a trigger or a view, which this service never makes"
        case .foreignSchema(let difference): "a file of the storage is not as this service makes it: \(difference)"
        case .newerSchema(let found, let known):
            "the storage has schema version \(found), this service knows versions up to \(known)"
        case .unreadable: "the storage has a value that cannot be read"
        }
    }

    package var isTransient: Bool { !isFatal }
    package var isDuringMigration: Bool { self == .readOnly }
    package var isWithoutEffect: Bool { [.full, .readOnly, .putBack].contains(self) }

    /// Whether the database must not be used any more.
    package var isFatal: Bool {
        switch self {
        case .failed: true
        default: false
        }
    }
}

/// The error of an engine: its code, its own text for the code, which names no file, statement or value, and the table
/// or constraint.
package struct EngineFault: Hashable, Sendable, CustomStringConvertible {
    /// SQLite's extended result code in decimal digits, or a SQLSTATE.
    package let code: String
    let text: String
    let object: String?

    /// - Parameter object: what of the schema it is about, if that is known; names no value.
    package init(code: String, text: String, object: String? = nil) {
        self.code = code
        self.text = text
        self.object = object
    }

    package var description: String { "\(text) (\(code))" + (object.map { " (\($0))" } ?? "") }
}
