/// What a server wrote on a connection, read by its own small rules (RFC 9112): a status line, fields, an empty line, and
/// as many bytes as `Content-Length` says.
struct HTTPAnswers {
    private(set) var statuses: [Int] = []

    /// - Returns: `nil` when it is not answer after answer, each of them whole.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let head = Self.head(&rest), let status = Self.status(head[0]) else { return nil }
            // An interim answer is its head alone, and the answer comes after it.
            if status == 100, head.count == 1, !rest.isEmpty { continue }
            guard status >= 200, let length = Self.length(head) else { return nil }
            statuses.append(status)
            // After the answer to a HEAD, which says how long a body would be, stands the next or nothing.
            guard !rest.isEmpty, !rest.starts(with: "HTTP/1.1 ".utf8) else { continue }
            guard rest.count >= length else { return nil }
            rest = rest.dropFirst(length)
        }
    }

    /// The lines before the first empty one.
    private static func head(_ rest: inout ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
        var lines: [ArraySlice<UInt8>] = []
        while let end = rest.firstIndex(of: UInt8(ascii: "\r")) {
            guard rest[end...].dropFirst().first == UInt8(ascii: "\n") else { return nil }
            let line = rest[..<end]
            rest = rest[(end + 2)...]
            if line.isEmpty { return lines.isEmpty ? nil : lines }
            guard line.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return nil }
            lines.append(line)
        }
        return nil
    }

    private static func status(_ line: ArraySlice<UInt8>) -> Int? {
        let parts = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 2)
        guard parts.count == 3, parts[0] == "HTTP/1.1", let status = Int(parts[1]), (100...599).contains(status) else {
            return nil
        }
        return status
    }

    private static func length(_ head: [ArraySlice<UInt8>]) -> Int? {
        let fields = head.dropFirst().map { String(decoding: $0, as: UTF8.self) }
        guard fields.allSatisfy({ $0.firstIndex(of: ":").map { $0 > "".startIndex } ?? false }) else { return nil }
        let lengths = fields.filter { $0.lowercased().hasPrefix("content-length: ") }.map { $0.dropFirst(16) }
        return lengths.count == 1 ? Int(lengths[0]) : nil
    }
}
