import HTTPTypes
import Hummingbird

/// The media types that a client accepts, from the header `Accept` (RFC 9110, 12.5.1).
package struct Accept {
    private struct Range {
        let type: Substring
        let subtype: Substring
        /// In thousandths.
        let weight: Int

        /// How closely it names `type`; `nil` if it does not name it.
        func closeness(to type: String) -> Int? {
            let parts = type.split(separator: "/")
            if self.type == parts[0], subtype == parts[1] { return 2 }
            if self.type == parts[0], subtype == "*" { return 1 }
            return self.type == "*" && subtype == "*" ? 0 : nil
        }
    }

    private let ranges: [Range]

    /// - Parameter text: the values of all headers of that name, with commas between them.
    package init(_ text: String) {
        ranges = text.lowercased().split(separator: ",").compactMap(Self.range)
    }

    /// Like ``preferred(among:)``, but a client that accepts none of them gets the first: that is more useful than a
    /// 406.
    func choice(among offered: APIMediaType...) -> APIMediaType {
        preferred(among: offered.map(\.rawValue)).flatMap(APIMediaType.init(rawValue:)) ?? offered[0]
    }

    /// The offered type that the client wants most; among equals the one that it names most closely, then the one that
    /// is offered first. So `application/json, */*` prefers JSON to types that it does not name.
    /// - Returns: `nil` if the client accepts none.
    package func preferred(among offered: [String]) -> String? {
        var best: (type: String, weight: Int, closeness: Int)?
        for type in offered {
            guard let fit = fit(of: type), fit.weight > 0 else { continue }
            if let best, (fit.weight, fit.closeness) <= (best.weight, best.closeness) { continue }
            best = (type, fit.weight, fit.closeness)
        }
        return best?.type
    }

    /// The range that names a type most closely, and its weight; `nil` if no range names the type.
    private func fit(of type: String) -> (closeness: Int, weight: Int)? {
        let fitting = ranges.compactMap { range in
            range.closeness(to: type).map { (closeness: $0, weight: range.weight) }
        }
        return fitting.max { $0.closeness < $1.closeness }
    }

    private static func range(_ text: Substring) -> Range? {
        let parts = text.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
        guard let names = parts.first?.split(separator: "/", omittingEmptySubsequences: false), names.count == 2 else {
            return nil
        }
        let quality = parts.dropFirst().first { $0.hasPrefix("q=") }
        guard let weight = quality.map({ weight($0.dropFirst(2)) }) ?? 1000 else { return nil }
        return Range(type: Substring(names[0]), subtype: Substring(names[1]), weight: weight)
    }

    /// - Returns: `nil` if `text` is no number from 0 to 1.
    private static func weight(_ text: Substring) -> Int? {
        guard let value = Double(text), (0...1).contains(value) else { return nil }
        return Int((value * 1000).rounded())
    }
}

extension Request {
    /// What the client accepts. A missing `Accept` accepts any type.
    var accept: Accept {
        Accept(headers[values: .accept].isEmpty ? "*/*" : headers[values: .accept].joined(separator: ","))
    }
}
