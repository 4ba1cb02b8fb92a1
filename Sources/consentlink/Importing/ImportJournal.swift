import Cryptography
import Identifiers
import JSON
import LocalFiles

/// The progress of an import, in a file beside the input: however the command ends, the next run continues at the same
/// place. It names no recipient.
struct ImportJournal {
    /// A place after some rows of the file.
    struct Position: Equatable {
        /// The number of rows before it.
        var rows = 0
        var digest = RowDigest()

        func after(_ more: [ImportRow]) -> Self {
            var next = self
            next.rows += more.count
            next.digest.add(more)
            return next
        }
    }

    /// A row that the service refused.
    struct Refusal: Equatable {
        /// In Unicode scalars. The file of errors has the whole reason, unless the command ends before it is written.
        private static let maximumLength = 100

        let line: Int
        let reason: String

        init(line: Int, reason: String) {
            self.line = line
            self.reason = String(String.UnicodeScalarView(reason.unicodeScalars.prefix(Self.maximumLength)))
        }
    }

    /// The batch that was sent without an answer: its rows may be recorded.
    struct UnderWay: Equatable {
        /// The time of the first request.
        var sentAt: Timestamp
        /// The mark of the key that sent it; `nil` in journals that do not have it.
        var sentBy: String?
        /// The end of the batch; `nil` in journals of version 1, which do not have it.
        var end: Position?
        /// Rows that were removed before it was sent again: the others may be recorded without them.
        var refused: [Refusal] = []
    }

    /// The state when the end of the file was last reached.
    struct Whole: Equatable {
        var rows: Int
        var refused: Int
    }

    /// The progress before the next row.
    struct Progress: Equatable {
        /// The id of this import, from its first run on. Together with the content of a request it makes the
        /// idempotency key.
        var run: String
        /// `nil` in journals up to version 2, which do not have it.
        var organization: String?
        /// The place after the rows that are done.
        var position = Position()
        var recorded = 0
        /// The id of the last record that the service acknowledged; `nil` in journals that do not have it.
        var last: String?
        var refused = 0
        /// The size of the file of errors, in bytes.
        var errorBytes = 0
        /// Its place, noted before anything is written into it; `nil` in journals that do not have it.
        var errorPlace: String?
        var underWay: UnderWay?
        /// `nil` until the end of the file is first reached.
        var whole: Whole?
        /// From a journal of version 1, in place of the digest of ``position``. It is not written.
        var batches: BatchDigest?
        /// From a journal of version 2, in place of the digest of ``position``. It is not written.
        var reasons: RowDigest?

        /// How many rows are done.
        var rows: Int { position.rows }
        var isDone: Bool { whole?.rows == rows && underWay == nil }
    }

    /// In bytes. A batch whose rows were all refused fits.
    private static let maximumSize = 2 << 20

    let path: String

    /// The path of the file that ``ImportLock`` locks.
    var lockPath: String { "\(path).lock" }

    var isThere: Bool { FileStatus(following: path) != nil }

    /// - Returns: `nil` if there is none.
    func read() throws(CommandFailure) -> Progress? {
        guard let bytes = SmallFile.read(path, upTo: Self.maximumSize) else { return nil }
        guard let value = try? JSONValue.parse(bytes), let progress = Progress(value) else {
            throw CommandFailure("consentlink: \(path.shown) is not a journal of an import", exitCode: ExitStatus.usage)
        }
        return progress
    }

    /// Durable on return. At any moment there is the old file or the new one.
    func write(_ progress: Progress) throws(CommandFailure) { try SmallFile.write(progress.json, to: path) }
}

extension ImportJournal.Progress {
    /// The progress before the first row.
    init(of organization: String? = nil) {
        var generator = SystemRandomNumberGenerator()
        self.init(
            run: String(UInt64.random(in: .min ... .max, using: &generator), radix: 16), organization: organization)
    }

    /// The progress at the end of the file.
    var done: Self {
        var last = self
        last.whole = ImportJournal.Whole(rows: rows, refused: refused)
        return last
    }

    /// Tells the keys of the service apart in this import, and tells nothing about them.
    func mark(ofKey key: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(Array("consentlink import key \(run) ".utf8) + key)
        return Hexadecimal.encode(hash.finish())
    }

    /// The idempotency key of a request.
    func requestKey(for body: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(Array("consentlink import \(run) ".utf8) + body)
        return Hexadecimal.encode(hash.finish())
    }
}
