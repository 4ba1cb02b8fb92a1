import Glibc
import LocalFiles
package import SystemPackage

/// What a write-ahead log has lost to damage, as far as that is certain.
///
/// SQLite takes the first frame whose salts or checksum are wrong for the end of the log. That is right for a commit
/// that a crash interrupted: it was not synced, so it was not acknowledged. But a commit with a frame that continues its
/// checksum was synced before that frame was written (`synchronous=FULL`). If it does not stand before the first wrong
/// frame, it was acknowledged and is lost.
///
/// Nothing is certain about a log that was removed or cut, or of which only the last commit is damaged.
package struct LogDamage: Hashable, Sendable {
    /// How many acknowledged commits cannot be read, at least.
    package let commits: Int

    /// Walks over the log of a database, with one page in memory. No process may write to it meanwhile. Blocks the
    /// thread as long as reading the log takes.
    ///
    /// - Returns: `nil` if nothing is certainly lost, or if there is no log.
    /// - Throws: why the log cannot be read.
    package static func find(inLogOf database: String) throws(Errno) -> LogDamage? {
        let path = DatabasePaths.log(of: database)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw .last }
            return nil
        }
        defer { close(descriptor) }
        guard var reader = try LogReader(descriptor) else { return nil }
        let commits = try reader.lostCommits()
        return commits > 0 ? LogDamage(commits: commits) : nil
    }
}

/// Reads the frames of a log (https://www.sqlite.org/fileformat2.html#walformat).
private struct LogReader {
    private static let headerLength = 32
    /// The size of pages that SQLite chooses for a new database.
    private static let usualPageSize = 4096

    private let descriptor: CInt
    private let pageSize: Int
    private let isBigEndian: Bool
    /// Those of the frames that count; other frames are left from before the log was begun again.
    private let salts: LogSalts
    /// The checksum of the header; `nil` if the header is damaged.
    private let start: LogChecksum?
    /// One frame: its header, and its page.
    private var buffer: [UInt8]

    /// - Returns: `nil` if the file has no header, or nothing shows which frames count.
    init?(_ descriptor: CInt) throws(Errno) {
        var buffer = [UInt8](repeating: 0, count: LogFrame.headerLength + 65_536)
        guard try read(descriptor, &buffer, Self.headerLength, at: 0) else { return nil }
        let header = LogHeader(buffer)
        let pageSize = header?.pageSize ?? Self.usualPageSize
        if let header {
            salts = header.salts
        } else {
            guard let found = try Self.salts(descriptor, &buffer, pageSize) else { return nil }
            salts = found
        }
        (self.descriptor, self.pageSize, self.buffer) = (descriptor, pageSize, buffer)
        (isBigEndian, start) = (header?.isBigEndian ?? false, header?.checksum)
    }

    /// The salts of the frames behind a damaged header. The first frame may be damaged with it.
    ///
    /// - Returns: `nil` if the log was just begun again, so that the second frame does not count.
    private static func salts(
        _ descriptor: CInt, _ buffer: inout [UInt8], _ pageSize: Int
    ) throws(Errno) -> LogSalts? {
        guard try read(descriptor, &buffer, LogFrame.headerLength, at: headerLength) else { return nil }
        let first = LogFrame(buffer).salts
        let second = headerLength + LogFrame.headerLength + pageSize
        guard try read(descriptor, &buffer, LogFrame.headerLength, at: second) else { return nil }
        let salts = LogFrame(buffer).salts
        // SQLite counts the first salt up each time.
        return first.number == salts.number &+ 1 ? nil : salts
    }

    /// The commits that SQLite does not read although they were synced.
    mutating func lostCommits() throws(Errno) -> Int {
        let length = LogFrame.headerLength + pageSize
        var (isWhole, count, offset) = (start != nil, 0, Self.headerLength)
        /// The frame before, if it counts.
        var before: LogFrame?
        while try read(descriptor, &buffer, LogFrame.headerLength, at: offset) {
            let frame = LogFrame(buffer)
            if frame.salts == salts {
                guard try read(descriptor, &buffer, length, at: offset) else { break }
                if isWhole {
                    isWhole = before.map { follows($0.checksum, frame) } ?? start.map { follows($0, frame) } ?? false
                } else if let before, before.isCommit, follows(before.checksum, frame) {
                    count += 1
                }
                before = frame
            } else {
                (isWhole, before) = (false, nil)
            }
            offset += length
        }
        return count
    }

    /// Whether the frame in the buffer was written after the one with this checksum.
    private func follows(_ checksum: LogChecksum, _ frame: LogFrame) -> Bool {
        var sum = checksum
        buffer.withUnsafeBytes { bytes in
            sum.add(bytes[..<LogFrame.summedLength], isBigEndian)
            sum.add(bytes[LogFrame.headerLength..<(LogFrame.headerLength + pageSize)], isBigEndian)
        }
        return sum == frame.checksum
    }
}

/// Fills the beginning of `buffer` from a file.
/// - Returns: whether the file has as many bytes there as were asked for.
private func read(
    _ descriptor: CInt, _ buffer: inout [UInt8], _ length: Int, at offset: Int
) throws(Errno) -> Bool {
    var done = 0
    while done < length {
        var code = CInt(0)
        let count = buffer.withUnsafeMutableBytes { bytes in
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[done..<length])
            let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
            code = errno
            return count
        }
        if count < 0, code != EINTR { throw Errno(rawValue: code) }
        if count == 0 { return false }
        done += max(count, 0)
    }
    return true
}

/// Two numbers that all frames have in common that were written since the log was last begun.
private struct LogSalts: Hashable {
    /// One more each time that the log is begun.
    let number: UInt32
    let random: UInt32
}

private struct LogHeader {
    let isBigEndian: Bool
    let pageSize: Int
    let salts: LogSalts
    let checksum: LogChecksum

    /// - Returns: `nil` for a header that SQLite does not accept.
    init?(_ bytes: [UInt8]) {
        let magic = bytes.number(at: 0)
        let pageSize = Int(bytes.number(at: 8))
        guard magic & ~1 == 0x377F_0682, (512...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0 else {
            return nil
        }
        (isBigEndian, self.pageSize) = (magic & 1 == 1, pageSize)
        salts = LogSalts(number: bytes.number(at: 16), random: bytes.number(at: 20))
        checksum = LogChecksum(bytes, at: 24)
        var sum = LogChecksum()
        let isBigEndian = isBigEndian
        bytes.withUnsafeBytes { sum.add($0[..<24], isBigEndian) }
        guard sum == checksum else { return nil }
    }
}

/// The header of a frame.
private struct LogFrame {
    static let headerLength = 24
    /// How many bytes of the header are in the checksum, before the page.
    static let summedLength = 8

    let isCommit: Bool
    let salts: LogSalts
    /// Over this frame and all before it.
    let checksum: LogChecksum

    init(_ bytes: [UInt8]) {
        isCommit = bytes.number(at: 4) != 0
        salts = LogSalts(number: bytes.number(at: 8), random: bytes.number(at: 12))
        checksum = LogChecksum(bytes, at: 16)
    }
}

private struct LogChecksum: Hashable {
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    init() {}

    /// A stored one.
    init(_ bytes: [UInt8], at index: Int) {
        (first, second) = (bytes.number(at: index), bytes.number(at: index + 4))
    }

    /// - Parameter bytes: a multiple of eight.
    mutating func add(_ bytes: Slice<UnsafeRawBufferPointer>, _ isBigEndian: Bool) {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes)
        for offset in stride(from: 0, to: bytes.count, by: 8) {
            let (one, two) = (
                bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self),
                bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
            )
            first = first &+ (isBigEndian ? one.bigEndian : one.littleEndian) &+ second
            second = second &+ (isBigEndian ? two.bigEndian : two.littleEndian) &+ first
        }
    }
}

extension [UInt8] {
    /// Four bytes as a number, the most significant one first.
    fileprivate func number(at index: Int) -> UInt32 {
        self[index..<(index + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
