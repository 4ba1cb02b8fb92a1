/// The places of `{{consentlink.preferences}}` in a text, which the address of a ``PreferencesPages`` replaces.
///
/// There may be white space inside the braces, and each brace may be percent-encoded, as editors write it in an
/// address. The name with anything else around it is a fault, and so is another name in double braces that begins with
/// `consentlink`. All other placeholders belong to the sender.
package struct PreferencesPlaceholders: Sendable {
    /// The spelling in the documentation.
    package static let spelling = "{{consentlink.preferences}}"

    /// The placeholders that can be replaced, in the order of the text.
    package private(set) var ranges: [Range<Int>] = []
    /// The first fault.
    package private(set) var fault: PlaceholderFault?

    package init(_ text: String) {
        var text = text
        self = text.withUTF8 { PreferencesPlaceholders($0) }
    }

    /// Each byte of the text costs a fixed number of steps.
    init(_ source: some IndexedBytes) {
        var names = ProductNames(source)
        // Bytes before it belong to a placeholder that was read already.
        var end = 0
        while let name = names.next() {
            guard let reading = PlaceholderReading(source, name: name, from: end) else { continue }
            end = reading.range.upperBound
            if reading.isReplaceable { ranges.append(reading.range) }
            if let kind = reading.fault, fault == nil {
                var lines = LineCounter(source)
                fault = PlaceholderFault(kind: kind, line: lines.line(of: reading.range.lowerBound))
            }
        }
    }
}

extension PreferencesPages {
    /// A text with the address in place of each placeholder; `nil` if it has none.
    package func template(of text: String, isTracked: Bool) -> Template? {
        let placeholders = PreferencesPlaceholders(text).ranges
        guard !placeholders.isEmpty else { return nil }
        let bytes = Array(text.utf8)
        var template = Template(capacity: bytes.count)
        var start = 0
        for placeholder in placeholders {
            template.append(bytes[start..<placeholder.lowerBound])
            template.append(self, isTracked: isTracked)
            start = placeholder.upperBound
        }
        template.append(bytes[start...])
        return template
    }
}
