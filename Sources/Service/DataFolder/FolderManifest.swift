import Foundation
import Identifiers
import JSON
import LocalFiles
import SystemPackage

/// The content of a data folder: `manifest.json`. Every file that it names must exist at every start.
struct FolderManifest: Equatable {
    static let format = 1
    /// The files that a folder with an embedded store has.
    static let files = files(of: .sqlite)

    /// The files that every folder of this version has.
    static func files(of storage: StorageKind) -> [String] {
        (storage == .sqlite ? [FolderDatabases.storageName] : []) + [FolderDatabases.spoolName] + FolderFile.keys
    }

    let folder: FolderID
    let madeAt: Timestamp
    /// `false` until the folder is complete. No service used it before that.
    var isComplete: Bool
    private(set) var files: [String]
    /// The kind of the main database. A folder is never started with another storage than the one that it was made for,
    /// or moved to.
    private(set) var storage: StorageKind
    /// The last or current move of the main database; `nil` if it was never moved.
    private(set) var move: FolderMigration?
    /// The setting `storage` with which a service last started; `nil` if none has noted it.
    var setting: String?
    /// Whether the folder is a backup from which no service has started yet.
    var isBackup = false
    /// The fingerprints of the keys, noted by a service that started with them and found no fault.
    var fingerprints = FolderFingerprints()

    init(
        folder: FolderID, madeAt: Timestamp, isComplete: Bool, storage: StorageKind = .sqlite, files: [String]? = nil
    ) {
        self.folder = folder
        self.madeAt = madeAt
        self.isComplete = isComplete
        self.storage = storage
        self.files = files ?? Self.files(of: storage)
    }

    /// The manifest of a folder; `nil` if there is none.
    /// - Throws: ``DataFolderError/unusable(_:)`` if it is another user's or no manifest of this version, or why it cannot
    ///   be read. A folder whose manifest cannot be read may be in the middle of a move.
    static func read(in folder: String) throws(DataFolderError) -> FolderManifest? {
        guard let bytes = try SecretFile(path: "\(folder)/\(FolderFile.manifest)").read() else { return nil }
        do throws(FolderFinding.Fault) {
            return try FolderManifest(bytes)
        } catch {
            throw .unusable(FolderFile.manifest, error)
        }
    }

    /// Replaces the manifest of a folder. On disk on return.
    func write(in folder: String) throws(DataFolderError) {
        try SecretFile(path: "\(folder)/\(FolderFile.manifest)").write(bytes)
    }

    /// The manifest of a folder of any user; `nil` if there is none that can be read.
    static func seen(in folder: String) -> FolderManifest? {
        let path = "\(folder)/\(FolderFile.manifest)"
        // The open of a FIFO would wait for a writer.
        guard FileStatus(following: path)?.type == .regular else { return nil }
        return (try? FileContent.whole(path, upTo: SecretFile.greatestSize)).flatMap { try? FolderManifest($0) }
    }

    /// Notes that a move of the main database begins.
    mutating func begin(_ move: FolderMigration) { self.move = move.following(self.move) }

    /// Notes that the main database stays in its place.
    mutating func abandonMove() { move = move?.previous }

    /// Notes how far a move is whose new database does not count yet.
    mutating func setMove(_ state: FolderMigration.State) { if move?.isDone == false { move?.state = state } }

    /// Notes that both databases and the running service were told of the move.
    mutating func completeMove() { if move?.state == .switched { move?.state = .done } }

    /// Notes that the main database was moved, which is what makes the new one count.
    mutating func endMove() {
        move?.state = .switched
        guard let move else { return }
        storage = move.target
        files = Self.files(of: storage)
    }

    /// - Throws: the fault of a file that is no manifest of this version.
    init(_ bytes: [UInt8]) throws(FolderFinding.Fault) {
        guard let document = try? JSONValue.parse(bytes), let manifest = try? Self.shape.read(document) else {
            throw .damaged
        }
        guard manifest.format == Self.format else { throw .newer }
        guard let folder = FolderID(manifest.folder) else { throw .damaged }
        // An unknown kind belongs to a later version.
        guard let storage = manifest.storage.map(StorageKind.init(rawValue:)) ?? .sqlite else { throw .newer }
        self.init(
            folder: folder, madeAt: manifest.madeAt, isComplete: manifest.isComplete, storage: storage,
            files: manifest.files)
        fingerprints = manifest.fingerprints
        move = manifest.move
        setting = manifest.setting
        isBackup = manifest.isBackup
    }

    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("format", Self.format)
            writer.member("folder", folder.description)
            writer.member("madeAt", madeAt.rfc3339)
            writer.member("complete", isComplete)
            if storage != .sqlite { writer.member("storage", storage.rawValue) }
            writer.key("files")
            writer.array { writer in
                for file in files { writer.string(file) }
            }
            if isBackup { writer.member("backup", true) }
            if let setting { writer.member("setting", setting) }
            if let move {
                writer.key("move")
                move.write(to: &writer)
            }
            guard fingerprints != FolderFingerprints() else { return }
            writer.key("fingerprints")
            writer.object { writer in
                if let key = fingerprints.ledgerKey { writer.member("ledger.key", key) }
                if let key = fingerprints.operatorKey { writer.member("operator.key", key) }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private struct Document {
        let format: Int
        let folder: String
        let madeAt: Timestamp
        let isComplete: Bool
        let storage: String?
        let files: [String]
        let fingerprints: FolderFingerprints
        let move: FolderMigration?
        let setting: String?
        let isBackup: Bool
    }

    private static var shape: JSONShape<Document> {
        .object { fields throws(BodyProblems) in
            // A later format may have more members.
            fields.ignoreUnknownMembers()
            let format = fields.required("format", JSONShape<Int>.integer(in: 1...Int.max))
            let folder = fields.required("folder", .string)
            let madeAt = fields.required("madeAt", .string(Timestamp.init(rfc3339:)))
            let isComplete = fields.required("complete", .bool)
            let storage = fields.optional("storage", .string)
            let files = fields.required("files", .array(of: .string))
            let fingerprints = fields.optional("fingerprints", Self.fingerprints)
            let move = fields.optional("move", FolderMigration.shape)
            let setting = fields.optional("setting", .string)
            let isBackup = fields.optional("backup", .bool)
            try fields.finish()
            return Document(
                format: try format.get(), folder: try folder.get(), madeAt: try madeAt.get(),
                isComplete: try isComplete.get(), storage: storage,
                files: try files.get(),
                fingerprints: fingerprints ?? FolderFingerprints(), move: move, setting: setting,
                isBackup: isBackup ?? false)
        }
    }

    private static var fingerprints: JSONShape<FolderFingerprints> {
        .object { fields throws(BodyProblems) in
            fields.ignoreUnknownMembers()
            let ledgerKey = fields.optional("ledger.key", .string)
            let operatorKey = fields.optional("operator.key", .string)
            try fields.finish()
            return FolderFingerprints(ledgerKey: ledgerKey, operatorKey: operatorKey)
        }
    }
}
