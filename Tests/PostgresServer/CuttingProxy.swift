import Foundation
package import PostgresClient
import Synchronization

/// Stands between a client and a server on a Unix socket, and cuts connections where a test says.
///
/// It reads the messages of PostgreSQL's protocol, version 3, without encryption. What it counts, it counts over all
/// connections.
package final class CuttingProxy: Sendable {
    package enum Cut: Sendable {
        /// Each time that so many requests for an answer have come: the server answers, and the client never learns it.
        case everyAnswer(Int)
        /// Each time that so many commits have come: the server has committed, and the client never learns it.
        case everyCommitAnswer(Int)
        /// Each time that so many commits have come: the server never learns of this one.
        case everyCommit(Int)
        /// After ``limits``, one after the other and from the beginning again, of requests for an answer since the last
        /// cut: the client never learns the answer.
        case someAnswers
        /// The same of statements: the server never learns of the last one.
        case someStatements
    }

    /// Few enough that every transaction comes to its end before its writer gives up, and never in step with what a
    /// transaction sends.
    private static let limits = [3, 17, 92, 500, 2_800, 15_000, 80_000, 400_000]

    private struct State {
        var cut: Cut?
        var requests = 0
        var commits = 0
        var statements = 0
        var cuts = 0

        func isDue(_ count: Int) -> Bool { count >= limits[cuts % limits.count] }

        mutating func noteCut() {
            cuts += 1
            (requests, statements) = (0, 0)
        }
    }

    package let location: PostgresLocation
    private let folder: String
    private let target: String
    private let listener: Int32
    private let state = Mutex(State())

    package init(to server: PostgresServer, database: PostgresLocation) throws {
        folder = NSTemporaryDirectory() + "consentlink-proxy-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        target = "\(server.folder)/.s.PGSQL.5432"
        location = try PostgresLocation("postgres://test@/\(database.database ?? "")?host=\(folder)")
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let isBound = withAddress("\(folder)/.s.PGSQL.5432") { bind(listener, $0, $1) == 0 }
        guard isBound, listen(listener, 64) == 0 else { throw PostgresServerError.failed("proxy") }
        Thread.detachNewThread { [self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                serve(client)
            }
        }
    }

    /// From now on.
    package func cut(_ cut: Cut?) { state.withLock { $0 = State(cut: cut, cuts: $0.cuts) } }

    /// How many connections were cut so far.
    package var cuts: Int { state.withLock { $0.cuts } }

    package func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        Glibc.close(listener)
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func serve(_ client: Int32) {
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard withAddress(target, { connect(server, $0, $1) == 0 }) else {
            Glibc.close(client)
            Glibc.close(server)
            return
        }
        let line = Line(client: client, server: server)
        Thread.detachNewThread { [self] in forward(line) }
        Thread.detachNewThread { self.answer(line) }
    }

    /// From the client to the server.
    private func forward(_ line: Line) {
        var messages = MessageReader(hasStartup: true)
        while let bytes = line.read(line.client) {
            for message in messages.take(bytes) {
                switch verdict(message) {
                case .pass: line.write(message.bytes, to: line.server)
                case .cutNow: return line.cut()
                case .cutAfterAnswer:
                    line.isDeaf.store(true, ordering: .sequentiallyConsistent)
                    line.write(message.bytes, to: line.server)
                }
            }
        }
        line.cut()
    }

    /// From the server to the client.
    private func answer(_ line: Line) {
        var messages = MessageReader(hasStartup: false)
        while let bytes = line.read(line.server) {
            for message in messages.take(bytes) {
                guard line.isDeaf.load(ordering: .sequentiallyConsistent) else {
                    line.write(message.bytes, to: line.client)
                    continue
                }
                // ReadyForQuery: all of it is done.
                if message.type == UInt8(ascii: "Z") { return line.cut() }
            }
        }
        line.cut()
    }

    private enum Verdict {
        case pass
        case cutNow
        case cutAfterAnswer
    }

    private func verdict(_ message: Message) -> Verdict {
        state.withLock { state in
            let isCommit = message.type == UInt8(ascii: "P") && message.bytes.contains("\0COMMIT\0")
            if isCommit { state.commits += 1 }
            if message.type == UInt8(ascii: "S") { state.requests += 1 }
            if message.type == UInt8(ascii: "B") { state.statements += 1 }
            let verdict: Verdict =
                switch state.cut {
                case .everyAnswer(let count)?
                where message.type == UInt8(ascii: "S") && state.requests.isMultiple(of: count):
                    .cutAfterAnswer
                case .everyCommitAnswer(let count)? where isCommit && state.commits.isMultiple(of: count):
                    .cutAfterAnswer
                case .everyCommit(let count)? where isCommit && state.commits.isMultiple(of: count): .cutNow
                case .someAnswers? where message.type == UInt8(ascii: "S") && state.isDue(state.requests):
                    .cutAfterAnswer
                case .someStatements? where message.type == UInt8(ascii: "B") && state.isDue(state.statements): .cutNow
                default: .pass
                }
            if verdict != .pass { state.noteCut() }
            return verdict
        }
    }
}

/// One connection through the proxy.
private final class Line: Sendable {
    let client: Int32
    let server: Int32
    /// Whether the client gets no answer any more.
    let isDeaf = Atomic(false)

    init(client: Int32, server: Int32) {
        self.client = client
        self.server = server
    }

    deinit {
        close(client)
        close(server)
    }

    func cut() {
        shutdown(client, Int32(SHUT_RDWR))
        shutdown(server, Int32(SHUT_RDWR))
    }

    /// - Returns: `nil` at the end.
    func read(_ socket: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = Glibc.read(socket, &bytes, bytes.count)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    func write(_ bytes: [UInt8], to socket: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }
}

private struct Message {
    /// 0 for the first one of a client, which has none.
    let type: UInt8
    let bytes: [UInt8]
}

/// Finds the messages in what comes.
private struct MessageReader {
    private var hasStartup: Bool
    private var buffer: [UInt8] = []

    init(hasStartup: Bool) { self.hasStartup = hasStartup }

    mutating func take(_ bytes: [UInt8]) -> [Message] {
        buffer += bytes
        var messages: [Message] = []
        var start = 0
        while true {
            let head = hasStartup ? 0 : 1
            guard buffer.count - start >= head + 4 else { break }
            let length = buffer[(start + head)..<(start + head + 4)].reduce(0) { $0 << 8 | Int($1) }
            guard length >= 4, buffer.count - start >= head + length else { break }
            messages.append(
                Message(
                    type: hasStartup ? 0 : buffer[start], bytes: Array(buffer[start..<(start + head + length)])))
            start += head + length
            hasStartup = false
        }
        buffer.removeFirst(start)
        return messages
    }
}

extension [UInt8] {
    fileprivate func contains(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}

private func withAddress<Result>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8.prefix(107)) + [0]) }
    return withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}
