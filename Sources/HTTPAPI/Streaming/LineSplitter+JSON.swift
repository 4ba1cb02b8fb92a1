import HTTPTypes
import JSON
import NIOCore

extension LineSplitter.Line {
    /// The value that the line is.
    ///
    /// - Parameter limit: the bytes that a line may have, for the problem of one that has more.
    func json(limit: Int) throws -> JSONValue {
        switch self {
        case .text(let bytes): try JSONValue.parse(bytes)
        case .tooLong: throw Problem(.contentTooLarge, "The line is longer than \(limit) bytes.")
        }
    }
}

extension ArrivingBody {
    /// The value that the first line is. What arrived behind it stays in the splitter.
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

/// What became of a line: a value, or why there is none.
protocol ReadLine {
    var fits: Bool { get }
}

extension Result: ReadLine {
    var fits: Bool {
        if case .success = self { true } else { false }
    }
}

extension ArraySlice where Element: ReadLine {
    /// How many lines of a batch fit.
    var fittingCount: Int { reduce(0) { $1.fits ? $0 + 1 : $0 } }
}
