import Cryptography
import Foundation
import Glibc
import Identifiers
import JSON

/// How far an import is, in a file beside what is imported: however the command ends, the next run goes on where it
/// was. It names no recipient.
struct ImportJournal {
    /// What was done before the row that comes next.
    struct Progress: Equatable {
        /// Of this import, from its first run on. With what is sent it makes the name of a request.
        var run: String
        /// Rows that are answered for.
        var rows = 0
        /// Of those rows and what stood in them.
        var digest = ""
        var recorded = 0
        var refused = 0
        /// How long the file of errors is.
        var errorBytes = 0
        /// When the batch behind them was first sent; `nil` while none is under way.
        var sentAt: Timestamp?
        var isDone = false
        /// Where runs found the end of the file, in rows: a batch ends there, also when rows were added since.
        var ends: [Int] = []
    }

    /// In bytes. There is room for some thousands of ends.
    private static let greatestSize = 64 << 10

    let path: String

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
    init() {
        var generator = SystemRandomNumberGenerator()
        self.init(run: String(UInt64.random(in: .min ... .max, using: &generator), radix: 16))
    }

    /// With the rows of one more batch.
    func after(_ batch: ImportSource.Batch) -> Self {
        var next = self
        next.rows += batch.rows.count
        var hash = SHA256()
        hash.update(Array(digest.utf8))
        for row in batch.rows {
            switch row.content {
            case .record(let json, _): hash.update(Array("\n\(row.line) ".utf8) + json)
            case .refused(let reason): hash.update(Array("\n\(row.line) \(reason)".utf8))
            }
        }
        next.digest = Hexadecimal.encode(hash.finish())
        return next
    }

    /// At the end of the file.
    var done: Self {
        var last = self
        last.isDone = true
        if last.ends.last != rows { last.ends.append(rows) }
        return last
    }

    /// The name of a request, for the service to know it again by.
    func requestKey(for body: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(Array("consentlink import \(run) ".utf8) + body)
        return Hexadecimal.encode(hash.finish())
    }

    fileprivate init?(_ value: JSONValue) {
        guard value["version"] == .integer(1), case .string(let run) = value["run"],
            case .string(let digest) = value["digest"],
            let rows = value["rows"]?.count, let recorded = value["recorded"]?.count,
            let refused = value["refused"]?.count, let errorBytes = value["errorBytes"]?.count,
            let sentAt = value["sentAt"], case .bool(let isDone) = value["done"]
        else { return nil }
        self.init(
            run: run, rows: rows, digest: digest, recorded: recorded, refused: refused, errorBytes: errorBytes,
            sentAt: nil, isDone: isDone)
        if case .string(let text) = sentAt {
            guard let instant = try? Timestamp(rfc3339: text) else { return nil }
            self.sentAt = instant
        }
        // Those of earlier versions do not say it.
        ends = value["ends"]?.elements.compactMap(\.count) ?? (isDone ? [rows] : [])
    }

    fileprivate var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            writer.member("run", run)
            writer.member("rows", rows)
            writer.member("digest", digest)
            writer.member("recorded", recorded)
            writer.member("refused", refused)
            writer.member("errorBytes", errorBytes)
            writer.member("sentAt", sentAt?.rfc3339)
            writer.member("done", isDone)
            guard !ends.isEmpty else { return }
            writer.key("ends")
            writer.array { writer in
                for end in ends { writer.integer(end) }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}

extension JSONValue {
    fileprivate var count: Int? {
        guard case .number(let number) = self, let count = number.int64, count >= 0 else { return nil }
        return Int(count)
    }
}
