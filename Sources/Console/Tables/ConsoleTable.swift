import Identifiers
import Pages

/// Numbers or facts in rows: a page shows them, and the same address gives them as CSV and JSON.
struct ConsoleTable: Sendable {
    struct Column: Sendable {
        enum Kind: Sendable {
            case text
            /// Right-aligned.
            case number
        }

        /// In CSV and JSON: it stays the same in every language.
        let name: String
        let title: String
        let kind: Kind
        /// Where the title leads, to sort by it; `nil` where it does not.
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
        /// How the rows are sorted by this column now: `ascending`, `descending`, or not at all.
        let order: Order?

        enum Order: String, CaseIterable, Sendable {
            case ascending
            case descending
        }
    }

    enum Cell: Sendable {
        case text(String)
        /// What identifies something, such as an id: in a font whose characters are told apart.
        case code(String)
        /// - Parameter path: of the console.
        case link(String, path: String)
        case number(Int)
        /// From 0 to 1; `nil` where it is not known.
        case share(Double?)
        case time(Timestamp?)
        /// - Parameter tone: says it in colour, beside the words.
        case state(String, code: String, tone: Tone)
        case none
    }

    enum Tone: String, Sendable {
        case good
        case warning
        case bad
        case neutral
    }

    /// In JSON, and in the query of a link to the CSV: it stays the same in every language.
    let name: String
    let caption: String
    let columns: [Column]
    let rows: [[Cell]]
    /// What stands in the place of no rows.
    var whenEmpty: String = ""
}
