import Identifiers
import JSON

/// How many items of a list a client asks for.
struct PageLimit {
    static let allowed = 1...1000
    static let standard = PageLimit(count: 100)

    let count: Int

    private init(count: Int) { self.count = count }

    init(_ text: String) throws(PageLimitError) {
        guard let count = Int.parse(decimal: text), Self.allowed.contains(count) else { throw PageLimitError() }
        self.count = count
    }

    static var shape: JSONShape<PageLimit> {
        JSONShape { value, pointer throws(BodyProblems) in
            PageLimit(count: try JSONShape<Int>.integer(in: allowed).read(value, at: pointer))
        }
    }
}

struct PageLimitError: Error, CustomStringConvertible {
    var description: String {
        "must be an integer from \(PageLimit.allowed.lowerBound) to \(PageLimit.allowed.upperBound)"
    }
}

extension QueryReader {
    mutating func takeLimit() throws -> PageLimit { try take("limit", PageLimit.init) ?? .standard }
}
