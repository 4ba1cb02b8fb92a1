package import SQL
import SQLiteFiles

/// A fault of a file in the data folder. It names the file by its place in the folder.
package struct FolderFinding: Hashable, Sendable, CustomStringConvertible {
    package enum Fault: Error, Hashable, Sendable {
        case missing
        case empty
        /// Cut off, or not written by the service.
        case damaged
        /// It belongs to another data folder.
        case foreign
        /// The signing keys are not those that the service wrote. With their ids.
        case otherKeys(String)
        /// A database with a trigger or a view.
        case foreignCode
        /// A database with other tables than its version. With the first difference.
        case foreignSchema(SchemaDifference)
        case symbolicLink
        case hardLink
        case notAFile
        case notAFolder
        case otherOwner(UInt32, expected: UInt32)
        /// Other users can read or write it; it has these permission bits.
        case open(UInt32)
        /// The user that it belongs to cannot read and write it; it has these permission bits.
        case closedToOwner(UInt32)
        /// It has the name of an unfinished file of the service, which did not make it.
        case planted
        /// A checkpoint of an organization that the database does not contain.
        case withoutLedger
        /// The database was moved to another place and is no longer valid. With the sentence that the database has
        /// about it.
        case moved(String)
        /// The log of a database that was in the folder before a backup was copied over it.
        case leftBehind
        /// The damaged log of a database, and how many acknowledged commits cannot be read, at least.
        case commitsLost(Int)
        /// Made by a later version.
        case newer
        /// The folder is missing or empty, although it was made before.
        case lost
        /// The folder contains other files, and none of the service's.
        case notADataFolder
    }

    /// The place in the folder; ``folder`` for the folder itself, ``database`` for a database on a server.
    package let file: String
    package let fault: Fault

    package static let folder = "the folder"
    static let database = "the database"

    package init(_ file: String, _ fault: Fault) {
        self.file = file
        self.fault = fault
    }

    package var description: String {
        switch fault {
        case .missing: "\(file) is missing"
        case .empty: "\(file) is empty"
        case .damaged: "\(file) is damaged: its content is not that of this service, or its end is missing"
        case .foreign: "\(file) belongs to another data folder"
        case .otherKeys(let keys): "\(file) does not have the signing keys that the service wrote last (\(keys))"
        case .foreignCode: "\(file) has a trigger or a view, which this service never makes"
        case .foreignSchema(let difference): "\(file) is not as this service makes it: \(difference)"
        case .symbolicLink: "\(file) is a symbolic link"
        case .hardLink: "\(file) has a second name (a hard link)"
        case .notAFile: "\(file) is not a regular file"
        case .notAFolder: "\(file) is not a folder"
        case .otherOwner(let owner, let expected): "\(file) belongs to user \(owner) and not to user \(expected)"
        case .open(let mode): "\(file) is open to other users (mode \(Self.octal(mode)))"
        case .closedToOwner(let mode):
            "\(file) does not let its owner read and write (mode \(Self.octal(mode)))"
        case .planted: "\(file) was not made by this service"
        case .withoutLedger: "\(file) is the checkpoint of a ledger that the database does not have"
        case .moved(let sentence): sentence
        case .leftBehind: "\(file) is left over from another database: a backup was copied over the files of the folder"
        case .commitsLost(let commits):
            "\(file) is damaged: \(commits) or more acknowledged commits behind the damage cannot be read"
        case .newer: "\(file) was written by a later version of this service"
        case .lost: "\(file) is empty or does not exist, and should have been made before; check that it is mounted"
        case .notADataFolder: "\(file) is not empty, and is not a data folder"
        }
    }

    private static func octal(_ mode: UInt32) -> String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}

extension FolderFinding {
    /// What the operator can do about it.
    /// - Parameter path: the path of the folder, for commands.
    package func remedy(in path: String) -> String {
        switch fault {
        case .missing, .empty, .damaged: lossRemedy(in: path)
        case .foreign where file == Self.database:
            "Name the database of this folder in the setting storage, or name the data folder that it belongs to."
        case .foreign: "Put back the file of this folder, or restore a whole backup into an empty folder."
        case .otherKeys:
            """
            Put back the newest one. If it is lost, links of the missing and changed keys do not open any more; to \
            accept that: consentlink init --data \(path.shellWord) --accept-keyring
            """
        case .foreignCode:
            """
            Find out who can write to it, and what the trigger did: it may have changed or copied recorded data. Then \
            restore the newest backup from before into an empty folder. If it did nothing, stop the service, and \
            remove triggers and views with sqlite3: DROP TRIGGER, DROP VIEW.
            """
        case .foreignSchema(let difference): SchemaRemedy(file: file, difference: difference).description
        case .symbolicLink, .hardLink, .notAFile, .notAFolder:
            "Find out who changed the folder; then put the file itself back in its place."
        // Root runs the command, and another user the service, which could not use the folder after a chown.
        case .otherOwner(_, expected: 0) where file == Self.folder:
            "Run as the owner: runuser --user NAME -- consentlink …"
        case .otherOwner(_, let expected): "Run as the owner, or: chown -R \(expected) \(path.shellWord)"
        case .open: "Make sure that no stranger read the keys or changed a file; then: chmod -R go= \(path.shellWord)"
        case .closedToOwner:
            """
            Find out who took the permissions away, or whether it was copied from a read-only place; then: chmod -R \
            u+rwX \(path.shellWord)
            """
        case .planted: "Find out who put it there, and remove it."
        case .withoutLedger:
            """
            The database is older than the checkpoint, or another one: restore the newest backup. If the ledger is \
            lost for good, move the checkpoint to the place where you keep evidence.
            """
        case .moved: "Start the service on the folder that it was moved to, and drop this database."
        case .leftBehind:
            "Restore the backup into an empty folder: this log would be written into the database and damage it."
        case .commitsLost where file == DatabasePaths.log(of: FolderDatabases.spoolName):
            """
            The clicks in these commits are lost; the service continues without them. See why (dmesg): the disk or \
            the memory may be failing.
            """
        case .commitsLost:
            """
            Restore the newest backup into an empty folder. See why (dmesg): the disk or the memory may be failing.
            """
        case .newer: "Start the version that wrote it, or restore a backup of this version."
        case .lost:
            """
            Mount its volume, or name the right folder. Restore the newest backup into it if it is lost. Make a new one \
            if there never was one: consentlink init --data \(path.shellWord)
            """
        case .notADataFolder: "Name a folder that is empty or does not exist, or the data folder itself."
        }
    }

    private func lossRemedy(in path: String) -> String {
        switch file {
        case FolderFile.operatorKey: "Make a new one: consentlink init --data \(path.shellWord) --new-operator-key"
        case FolderDatabases.spoolName:
            """
            Put it back if it can be found: it holds clicks that are not in the store yet. If it is lost, move away \
            the rest of it and accept the loss: consentlink init --data \(path.shellWord) --replace-spool
            """
        case FolderFile.keyRing: "Put it back from the newest backup. Without it, links that were sent do not open."
        case FolderFile.keyFingerprints: "Move it away: the next start makes it anew from keyring.json."
        case FolderFile.erasureKey: "Put it back from any backup. Without it, erased recipients are not recognised."
        case FolderFile.ledgerKey: "Put it back from any backup. Without it, no checkpoint can be signed or checked."
        case Self.database:
            """
            Something was stored for this folder before. Name its database in the setting storage, or restore that \
            database from its backup.
            """
        case FolderFile.manifest:
            """
            Put it back from any backup: it says whether the database is on a server. You may move a damaged one away \
            if consentlink.db is there: it is then made again. If consentlink.db was there and is lost, restore the \
            newest backup into an empty folder.
            """
        default: "Restore the newest backup into an empty folder."
        }
    }
}
