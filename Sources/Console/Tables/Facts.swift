import Pages

/// Figures side by side, each with its name above it and a note below it.
struct Facts {
    struct Fact {
        let name: String
        let content: HTML
        /// Whether it is a number, which is shown large.
        let isBig: Bool
        /// Empty if there is none.
        let note: String

        /// A number or a few words.
        init(_ name: String, _ value: String, note: String = "") {
            self.name = name
            self.content = "\(value)"
            isBig = true
            self.note = note
        }

        /// Any other value, such as a state.
        init(_ name: String, content: HTML, note: String = "") {
            self.name = name
            self.content = content
            isBig = false
            self.note = note
        }
    }

    /// How many stand beside each other on a wide page.
    enum Columns {
        case asManyAsFit
        case three
        case four
    }

    let facts: [Fact]
    var columns = Columns.asManyAsFit

    var html: HTML {
        let parts = HTML(
            lines: facts.map { fact in
                let size: HTML = fact.isBig ? " class=\"big\"" : ""
                let note: HTML = fact.note.isEmpty ? "" : "<dd class=\"note\">\(fact.note)</dd>"
                return "<div><dt>\(fact.name)</dt><dd\(size)>\(fact.content)</dd>\(note)</div>"
            })
        return "<dl class=\"facts\(modifier)\">\n\(parts)\n</dl>"
    }

    private var modifier: HTML {
        switch columns {
        case .asManyAsFit: ""
        case .three: " three"
        case .four: " four"
        }
    }
}
