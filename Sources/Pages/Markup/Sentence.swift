/// Text for people with blanks in it, which each page fills.
///
///     let sentence: Sentence = "Nothing is recorded for \(.sender)."
package struct Sentence: Hashable, Sendable, ExpressibleByStringInterpolation {
    package enum Blank: Hashable, Sendable {
        /// The name of the organization that sent the message.
        case sender
        /// The purpose as the organization named it: `a-z 0-9 . -`.
        case purpose
        /// The host of an address that the organization gave.
        case site
        /// A day as 2026-12-24.
        case date
    }

    fileprivate enum Part: Hashable, Sendable {
        case text(String)
        case blank(Blank)
    }

    private let parts: [Part]

    package init(stringLiteral value: String) { parts = [.text(value)] }

    package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        package init(literalCapacity _: Int, interpolationCount: Int) {
            parts.reserveCapacity(2 * interpolationCount + 1)
        }

        package mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(.text(literal)) }
        }

        package mutating func appendInterpolation(_ blank: Blank) { parts.append(.blank(blank)) }
    }

    package var blanks: [Blank] {
        parts.compactMap { part in
            if case .blank(let blank) = part { blank } else { nil }
        }
    }

    /// - Parameter fill: what stands in a blank. It is isolated, so that its direction of writing and its punctuation do
    ///   not reach into the sentence.
    package func html(_ fill: (Blank) -> String) -> HTML {
        parts.reduce("") { html, part in
            switch part {
            case .text(let text): "\(html)\(text)"
            case .blank(.sender): "\(html)<bdi><strong>\(fill(.sender))</strong></bdi>"
            case .blank(let blank): "\(html)<bdi><em>\(fill(blank))</em></bdi>"
            }
        }
    }

    /// A sentence that names the sender alone.
    package func html(sender: String) -> HTML { html { $0 == .sender ? sender : "" } }
}
