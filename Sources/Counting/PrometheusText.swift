/// Writes metrics in the text format of Prometheus, version 0.0.4.
package struct PrometheusText {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    package private(set) var text = ""

    package init(_ families: [MetricFamily] = []) {
        for family in families { add(family) }
    }

    mutating func add(_ family: MetricFamily) {
        text += "# HELP \(family.name) \(Self.escaped(family.help, quotes: false))\n"
        text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
        for sample in family.samples {
            text += family.name + sample.suffix
            if !sample.labels.isEmpty {
                text += "{"
                text += sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }
                    .joined(separator: ",")
                text += "}"
            }
            text += " \(Self.number(sample.value))\n"
        }
    }

    /// The characters to escape. Most texts have none of them, and a page has thousands of texts.
    private static let special = [UInt8(ascii: "\\"), UInt8(ascii: "\n"), UInt8(ascii: "\"")]

    /// A backslash and a line feed are escaped everywhere, a quotation mark only in the quotes of a label.
    private static func escaped(_ text: String, quotes: Bool) -> String {
        guard text.utf8.contains(where: special.contains) else { return text }
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }
}
