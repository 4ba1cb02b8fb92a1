import HTTPTypes
import JSON
import NIOCore

extension LineSplitter.Line {
    /// The JSON value of the line.
    ///
    /// - Parameter limit: the most bytes of a line, for the problem of a longer one.
    func json(limit: Int) throws -> JSONValue {
        switch self {
        case .text(let bytes): try JSONValue.parse(bytes)
        case .tooLong: throw Problem(.contentTooLarge, "The line is longer than \(limit) bytes.")
        }
    }
}

extension ArrivingBody {
    /// The JSON value of the first line. Bytes after it stay in the splitter.
    func firstLine(_ splitter: inout LineSplitter) async throws -> JSONValue {
        while true {
            if let line = splitter.next() { return try line.json(limit: splitter.limit) }
            guard let piece = try await next() else {
                return try (splitter.last() ?? .text([])).json(limit: splitter.limit)
            }
            splitter.append(piece.readableBytesView)
            try hold(splitter.heldCount)
        }
    }
}

/// A parsed line: a value, or why there is none.
protocol ReadLine {
    var fits: Bool { get }
}

extension Result: ReadLine {
    var fits: Bool {
        if case .success = self { true } else { false }
    }
}

extension ArraySlice where Element: ReadLine {
    /// How many lines of a batch are valid.
    var fittingCount: Int { reduce(0) { $1.fits ? $0 + 1 : $0 } }
}
