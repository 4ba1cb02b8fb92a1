import Cryptography
import Identifiers
import JSON
import Service

/// How far an import is, in a file beside what is imported: however the command ends, the next run goes on where it
/// was. It names no recipient.
struct ImportJournal {
    /// Behind some rows of the file.
    struct Position: Equatable {
        /// Before it.
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
        /// In Unicode scalars. The file of errors has all of it, unless the command is ended before it is written.
        private static let greatestLength = 100

        let line: Int
        let reason: String

        init(line: Int, reason: String) {
            self.line = line
            self.reason = String(String.UnicodeScalarView(reason.unicodeScalars.prefix(Self.greatestLength)))
        }
    }

    /// The batch that is sent and not answered: its rows may be recorded.
    struct UnderWay: Equatable {
        /// The first time.
        var sentAt: Timestamp
        /// Of the batch; `nil` in journals of version 1, which do not say it.
        var end: Position?
        /// Rows that were taken out of it before it was sent again: the others may be recorded without them.
        var refused: [Refusal] = []
    }

    /// When the end of the file was last reached.
    struct Whole: Equatable {
        var rows: Int
        var refused: Int
    }

    /// What was done before the row that comes next.
    struct Progress: Equatable {
        /// Of this import, from its first run on. With what is sent it makes the name of a request.
        var run: String
        /// `nil` in journals up to version 2, which do not say it.
        var organization: String?
        /// Behind the rows that are answered for.
        var position = Position()
        var recorded = 0
        var refused = 0
        /// How long the file of errors is.
        var errorBytes = 0
        var underWay: UnderWay?
        /// `nil` until the first time.
        var whole: Whole?
        /// Of a journal of version 1, in place of the digest of ``position``. It is not written.
        var batches: BatchDigest?
        /// Of a journal of version 2, in place of the same. It is not written.
        var reasons: RowDigest?

        /// Rows that are answered for.
        var rows: Int { position.rows }
        var isDone: Bool { whole?.rows == rows && underWay == nil }
    }

    /// In bytes. A batch of which every row was refused fits.
    private static let greatestSize = 2 << 20

    let path: String

    /// Of the file that ``ImportLock`` locks.
    var lockPath: String { "\(path).lock" }

    var isThere: Bool { FileStatus(following: path) != nil }

    /// - Returns: `nil` when there is none.
    func read() throws(CommandFailure) -> Progress? {
        guard let bytes = SmallFile.read(path, upTo: Self.greatestSize) else { return nil }
        guard let value = try? JSONValue.parse(bytes), let progress = Progress(value) else {
            throw CommandFailure("consentlink: \(path.shown) is no journal of an import", exitCode: ExitStatus.usage)
        }
        return progress
    }

    /// Durable on return, and there is the old one or the new one at any moment.
    func write(_ progress: Progress) throws(CommandFailure) { try SmallFile.write(progress.json, to: path) }
}

extension ImportJournal.Progress {
    /// Nothing done.
    init(of organization: String? = nil) {
        var generator = SystemRandomNumberGenerator()
        self.init(
            run: String(UInt64.random(in: .min ... .max, using: &generator), radix: 16), organization: organization)
    }

    /// At the end of the file.
    var done: Self {
        var last = self
        last.whole = ImportJournal.Whole(rows: rows, refused: refused)
        return last
    }

    /// The name of a request, for the service to know it again by.
    func requestKey(for body: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(Array("consentlink import \(run) ".utf8) + body)
        return Hexadecimal.encode(hash.finish())
    }
}
