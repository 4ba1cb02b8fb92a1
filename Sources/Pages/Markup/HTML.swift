/// HTML that may be put into a page unchanged.
///
/// A literal is HTML. Text that is inserted into it is escaped, so that no text becomes markup:
///
///     let paragraph: HTML = "<p>\(name)</p>"
package struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
    package let text: String

    package init(stringLiteral value: String) { text = value }

    package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    fileprivate init(trusted text: String) { self.text = text }

    /// The parts, each on a line of its own.
    package init(lines: [HTML]) { text = lines.map(\.text).joined(separator: "\n") }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount _: Int) { text.reserveCapacity(literalCapacity * 2) }

        package mutating func appendLiteral(_ literal: String) { text += literal }

        package mutating func appendInterpolation(_ html: HTML) { text += html.text }

        /// Text, possibly of unknown origin.
        package mutating func appendInterpolation(_ text: String) { self.text += text.escapedForHTML.text }
    }
}

extension String {
    /// The text escaped for HTML, between tags and in quoted attributes.
    package var escapedForHTML: HTML {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return HTML(trusted: escaped)
    }
}
