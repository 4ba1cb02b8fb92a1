/// The first fault of an export or a proof.
///
/// Its description names places, entries and their ids, but no recipient.
package enum AuditFault: Error, Equatable, CustomStringConvertible {
    /// It is not an archive of an export, or not a complete one.
    case archive(TarError)
    /// This file must not be at this place, or in no export at all.
    case unexpectedFile(String)
    case fileTooLong(String)
    /// A part is empty, continues beyond the place where parts end, or begins where no part ends.
    case cut(String)
    case checkpoint(LedgerError)
    case proof(LedgerError)
    /// The checkpoint is older than the one that the auditor has.
    case replayed(size: UInt64, held: UInt64)
    /// The checkpoint has the size of the auditor's and another root.
    case forked(size: UInt64)
    /// The tree does not begin with the entries of the auditor's checkpoint.
    case inconsistent(held: UInt64, size: UInt64)
    /// The export has no proof that its tree continues the auditor's checkpoint.
    case noConsistencyProof(held: UInt64)
    case tile(TilePath, TileFault)
    /// The tiles do not have the signed root. The tiles of the last entries, those in no whole tile, are made for each
    /// export, so one of these entries may be the reason.
    case root(last: ClosedRange<UInt64>?)
    /// The first missing one of the unfinished tiles from which the root is computed.
    case tileMissing(TilePath)
    /// The export has only its first entries, and not the hashes of the others.
    case shorter(entries: UInt64, size: UInt64)
    case line(LineLocation, LineFault)
    case entry(EntryLocation, EntryFault)
    /// The tiles do not have the signed root, and this is the first entry that disagrees with them.
    case unproved(EntryLocation, EntryFault)
    /// The first missing range of entries that a whole export must have.
    case missing(ClosedRange<UInt64>, of: UInt64)
    /// More entries have no private fields than the ledger accounts for.
    case unexplainedErasures(found: UInt64, recorded: UInt64, what: String)
    /// As many entries have no private fields as the ledger accounts for, or fewer, but some of them come after all
    /// that can account for them.
    case lateErasures(UInt64, what: String)
    /// An erasure or a purge states that more entries lost their private fields than the export has without them.
    case restoredFields(EntryLocation, recorded: UInt64, what: String)
    /// The bytes of the file do not have the sum in the manifest.
    case sum(String)
    /// The text is not the one that every export with this checkpoint and these filters has.
    case readme
    /// A header has another time than the manifest.
    case headerTime(String)
    /// The export's consistency proof between these two checkpoints is not valid.
    case consistency(old: UInt64, size: UInt64)
    case manifest(String)
    case notIncluded(EntryLocation)
    /// The service's answer about a decision differs from what its proof proves.
    case document(String)

    package enum TileFault: String, Sendable {
        case path = "the tree has no such tile"
        case size = "it has not as many hashes as its path says"
        case order = "it does not come here"
        case unproved = "the tile above it is missing"
        case hash = "its hashes are not those under the signed root: one of them was changed"
    }

    package enum LineFault: String, Sendable {
        case tooLong = "it is longer than any entry"
        case form = "it has not the form of an entry"
        case noNewline = "it has no end"
        case order = "it does not come after the entry before it: lines were exchanged or doubled"
        case outside = "the tree has no such entry"
        case interaction = "it has not the form of an interaction"
    }

    package enum EntryFault: Error, Equatable, Sendable {
        case changed
        /// The ledger has this entry at another index.
        case exchanged(with: UInt64)
        case commitment
        case noTile
        case form
        /// The private fields match the commitment, but do not have the form that the format requires.
        case fields
        /// It is a decision at another time than its id's.
        case otherTime
        /// It is a consent record that occurred after it was recorded.
        case recordedBefore
        /// Its id is not greater than that of the previous entry of its kind.
        case repeated
        case needlessOpening
        /// It is a decision about one activity, and the one about the other activity is not next to it.
        case unpaired
    }
}

/// A line of a file in an export, counted from 1.
package struct LineLocation: Hashable, Sendable, CustomStringConvertible {
    let file: String
    let line: Int

    package init(file: String, line: Int) {
        self.file = file
        self.line = line
    }

    package var description: String { "line \(line) of \(file)" }
}

/// An entry, by its index in the tree and by what it claims to be.
package struct EntryLocation: Hashable, Sendable, CustomStringConvertible {
    package let index: UInt64
    let name: String

    package init(index: UInt64, name: String) {
        self.index = index
        self.name = name
    }

    package var description: String { "entry \(index) (\(name))" }
}

extension AuditFault {
    package var description: String {
        switch self {
        case .archive(let fault): "not an audit export: \(fault.rawValue)"
        case .unexpectedFile(let name): "the file \(name) does not belong there in an export"
        case .fileTooLong(let name): "the file \(name) is larger than it can be"
        case .cut(let name): "the file \(name) is not cut where an export cuts its lines into files"
        case .checkpoint(let error): "checkpoint: \(error)"
        case .proof(let error): "\(error)"
        case .replayed(let size, let held):
            "the checkpoint is older than yours: it has \(size) entries, yours has \(held). Either later entries were "
                + "cut off, or an old file was given to you"
        case .forked(let size):
            "the checkpoint contradicts yours: both say \(size) entries, with different roots. The ledger was rewritten"
        case .inconsistent(let held, let size):
            "the ledger of \(size) entries does not begin with the \(held) entries of your checkpoint. It was rewritten"
        case .noConsistencyProof(let held):
            "nothing in the file shows that the ledger begins with the \(held) entries of your checkpoint; have it made "
                + "again with that checkpoint as since"
        case .tile(let path, let fault): "the tile \(path): \(fault.rawValue)"
        case .root(let last):
            (last.map {
                "one of the last entries (\($0.lowerBound) to \($0.upperBound)) differs from the ledger, or "
            } ?? "")
                + "a hash was changed, or the checkpoint is of another tree: the tiles do not have the root that was signed"
        case .tileMissing(let path): "the tile \(path) is missing, without which the root cannot be computed"
        case .shorter(let entries, let size):
            "entries \(entries) to \(size - 1) are missing, and their hashes: the checkpoint is of \(size) entries, and the "
                + "export has \(entries). The ledger that it was made of is older than its checkpoint, or its newest "
                + "entries were cut off"
        case .line(let location, let fault): "\(location): \(fault.rawValue)"
        case .entry(let location, let fault): "\(location) \(fault)"
        case .unproved(let location, let fault):
            "\(location) \(fault), if it is not the hash that was changed: the tiles do not have the root that was signed"
        case .missing(let entries, let size):
            entries.lowerBound == entries.upperBound
                ? "entry \(entries.lowerBound) of \(size) is missing"
                : "entries \(entries.lowerBound) to \(entries.upperBound) of \(size) are missing"
        case .unexplainedErasures(let found, let recorded, let what):
            "\(found) \(what) come without their recipient, and the ledger says of \(recorded) that they lost it: "
                + "private fields were taken away"
        case .lateErasures(let count, let what):
            "\(count) \(what) come without their recipient after the erasures that could explain them, which took it from "
                + "earlier entries alone: private fields were taken away there, or put back before"
        case .restoredFields(let location, let recorded, let what):
            "\(location) took their recipient from \(recorded) \(what), and fewer before it are without: private fields "
                + "were put back"
        case .readme: "README.txt is not the text that an export has"
        case .headerTime(let name): "the header of \(name) has another time than the manifest"
        case .consistency(let old, let size):
            "the file consistency does not prove that the ledger of \(size) entries begins with one of \(old)"
        case .sum(let name): "the file \(name) is not the one that the manifest has the SHA-256 of"
        case .manifest(let fault): "manifest.json: \(fault)"
        case .document(let fault): "the document: \(fault)"
        case .notIncluded(let location):
            "\(location) differs from the ledger: the proof is another entry's, or a field was changed"
        }
    }
}

extension AuditFault.EntryFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .changed: "differs from the ledger: a field of it was changed"
        case .exchanged(let index):
            "is entry \(index) of the ledger: a row before it was deleted, or rows were exchanged"
        case .commitment:
            "does not commit to its private fields under its salt: one of them was changed, or the salt exchanged"
        case .noTile: "is proved by no tile of the export"
        case .form: "is not an entry of a ledger: it is not written as the format requires"
        case .fields: "has private fields that are not written as the format requires"
        case .otherTime: "is of a decision at another time than its id says"
        case .recordedBefore: "is of a consent that occurred after it was recorded"
        case .repeated:
            "has an id that does not come after the one before it: it was entered twice, or entries exchanged"
        case .needlessOpening: "has private fields and commits to none"
        case .unpaired:
            "is about clicks or opens alone, and the decision about the other for the same recipient is not beside it"
        }
    }
}
