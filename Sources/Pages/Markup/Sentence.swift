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

    /// - Parameter fill: returns the text for a blank. It is isolated, so that its direction of writing and its
    ///   punctuation do not affect the sentence. Direction controls in it are removed, because they could end the
    ///   isolation.
    package func html(_ fill: (Blank) -> String) -> HTML {
        parts.reduce("") { html, part in
            switch part {
            case .text(let text): "\(html)\(text)"
            case .blank(.sender): "\(html)<bdi><strong>\(fill(.sender).withoutDirectionControls)</strong></bdi>"
            case .blank(let blank): "\(html)<bdi><em>\(fill(blank).withoutDirectionControls)</em></bdi>"
            }
        }
    }

    /// A sentence with no other blank than the sender.
    package func html(sender: String) -> HTML { html { $0 == .sender ? sender : "" } }
}

extension String {
    /// The text without the embeddings, overrides and isolates of Unicode's bidirectional algorithm (UAX 9, 2), and
    /// their ends.
    fileprivate var withoutDirectionControls: String {
        String(unicodeScalars.filter { !("\u{202A}"..."\u{202E}" ~= $0 || "\u{2066}"..."\u{2069}" ~= $0) })
    }
}
