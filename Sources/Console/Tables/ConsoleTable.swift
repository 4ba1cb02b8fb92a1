import Identifiers
import Pages

/// Numbers or facts in rows: a page shows them, and the same address returns them as CSV and JSON.
struct ConsoleTable: Sendable {
    struct Column: Sendable {
        enum Kind: Sendable {
            case text
            /// Right-aligned.
            case number
        }

        /// The name in CSV and JSON: it is the same in every language.
        let name: String
        let title: String
        let kind: Kind
        /// The link of the title, to sort by it; `nil` if the table cannot be sorted by it.
        let sort: Sort?

        init(_ name: String, _ title: String, _ kind: Kind = .text, sort: Sort? = nil) {
            self.name = name
            self.title = title
            self.kind = kind
            self.sort = sort
        }
    }

    struct Sort: Sendable {
        let path: String
        /// The present order by this column: `ascending`, `descending`, or `nil`.
        let order: Order?

        enum Order: String, CaseIterable, Sendable {
            case ascending
            case descending
        }
    }

    enum Cell: Sendable {
        case text(String)
        /// An identifier, such as an id: in a font whose characters are easy to distinguish.
        case code(String)
        /// - Parameter path: a path of the console.
        case link(String, path: String)
        case number(Int)
        /// From 0 to 1; `nil` if it is not known.
        case share(Double?)
        case time(Timestamp?)
        /// - Parameter tone: the colour, in addition to the words.
        case state(String, code: String, tone: Tone)
        case none
    }

    enum Tone: String, Sendable {
        case good
        case warning
        case bad
        case neutral
    }

    /// The name in JSON, and in the query of a link to the CSV: it is the same in every language.
    let name: String
    let caption: String
    let columns: [Column]
    let rows: [[Cell]]
    /// The text that is shown if there are no rows.
    var whenEmpty: String = ""
}
