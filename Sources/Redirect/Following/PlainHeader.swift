/// The header of a plain request: no field of it changes how the connection continues, and it names one host.
struct PlainHeader {
    /// How far a header was read.
    enum Reading {
        case whole
        /// So far it is plain, and there is more to come.
        case cut
        case notPlain
    }

    private static let maximumFieldCount = 64

    private let agents: RecentAgents
    private(set) var request = RedirectRequest()
    /// The range of the first `Accept-Language` value in the bytes; empty if there is none.
    private(set) var languages = 0..<0
    /// The value of `Content-Length`; `nil` if it is missing. At most ``PlainRequest/maximumLength``.
    private(set) var bodyLength: Int?
    private var fieldCount = 0
    private var hostCount = 0

    init(agents: RecentAgents) { self.agents = agents }

    /// Reads the fields up to the empty line at their end.
    mutating func read(_ scanner: inout RequestScanner, in bytes: Span<UInt8>) -> Reading {
        while !scanner.skip("\r\n", in: bytes) {
            guard !scanner.isCut, let (name, value) = scanner.skipField(in: bytes) else {
                return scanner.isCut ? .cut : .notPlain
            }
            fieldCount += 1
            guard fieldCount <= Self.maximumFieldCount, take(bytes.extracting(name), bytes.extracting(value)) else {
                return .notPlain
            }
            if languages.isEmpty, bytes.extracting(name).isSame(as: "accept-language") { languages = value }
        }
        return hostCount == 1 ? .whole : .notPlain
    }

    /// - Returns: whether the field is plain.
    private mutating func take(_ name: Span<UInt8>, _ value: Span<UInt8>) -> Bool {
        switch name.count {
        case 2 where name.isSame(as: "te"), 6 where name.isSame(as: "expect"), 7 where name.isSame(as: "upgrade"),
            7 where name.isSame(as: "trailer"), 16 where name.isSame(as: "proxy-connection"),
            17 where name.isSame(as: "transfer-encoding"):
            return false
        case 10 where name.isSame(as: "connection"):
            guard value.isSame(as: "keep-alive") else { return false }
        case 14 where name.isSame(as: "content-length"):
            guard bodyLength == nil, let length = Self.length(value) else { return false }
            bodyLength = length
        case 4 where name.isSame(as: "host"): hostCount += 1
        default: break
        }
        request.read(name, value, agents)
        return true
    }

    /// A number as programs write it: digits, the first of them no zero.
    private static func length(_ value: Span<UInt8>) -> Int? {
        guard (1...4).contains(value.count), value.count == 1 || value[0] != UInt8(ascii: "0") else { return nil }
        var length = 0
        for index in value.indices {
            guard value[index] >= UInt8(ascii: "0"), value[index] <= UInt8(ascii: "9") else { return nil }
            length = length * 10 + Int(value[index] - UInt8(ascii: "0"))
        }
        return length <= PlainRequest.maximumLength ? length : nil
    }
}
