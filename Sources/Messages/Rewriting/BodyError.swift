/// Why the links of a mail's body cannot be found, or not in bounded time.
package enum BodyError: Error, Hashable, CaseIterable, CustomStringConvertible {
    case tooLong
    case tooManyElements
    case tooManyAttributes
    case tooDeeplyNested
    case undecidable
    case undecidableScript
    case undecidableSelect
    case tooManyLinks

    package var description: String {
        switch self {
        case .tooLong: "must be at most \(MessageBody.maximumLength) bytes"
        case .tooManyElements: "must have at most \(HTMLParseBudget.maximumTags) tags and comments"
        case .tooManyAttributes:
            "must have at most \(HTMLParseBudget.maximumAttributesOfTag) attributes in a tag, "
                + "and \(HTMLParseBudget.maximumAttributes) in all"
        case .tooDeeplyNested: "is nested too deeply, or has too many elements that are never closed"
        case .undecidable: "has text in an svg, math, select or template whose end cannot be determined"
        case .undecidableScript: "has a script with a comment and a script in it, whose end cannot be determined"
        case .undecidableSelect: "has a select in an svg or math, whose end cannot be determined"
        case .tooManyLinks: "must have at most \(MessageBody.maximumLinks) links"
        }
    }
}
