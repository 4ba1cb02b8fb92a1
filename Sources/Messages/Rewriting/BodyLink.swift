/// A link that was found in a mail, and its treatment.
package struct BodyLink: Hashable, Sendable {
    /// The body of the mail that contains it.
    package enum Part: String, Hashable, Sendable, CaseIterable {
        case html
        case text
    }

    package let part: Part
    /// The bytes of the body that mean the URL.
    package let range: Range<Int>
    /// The line of the body on which they begin, from 1.
    package internal(set) var line: Int
    /// The URL as a mail program reads it: character references decoded, without white space at its ends.
    package let url: String
    /// The sender's name for it in reports.
    package let label: String?
    package let verdict: Verdict

    package enum Verdict: Hashable, Sendable {
        /// It leads through the redirect for recipients who are tracked.
        case rewritten(TargetURL)
        /// It is never rewritten.
        case skipped(Reason)
    }

    /// Why a link stays unchanged.
    package enum Reason: Hashable, Sendable {
        /// Its sender opts out, in one of the usual ways.
        case optedOut
        /// It contains a placeholder that is filled in later.
        case placeholder
        /// A place in the mail itself, or nothing.
        case fragment
        /// It has no scheme, and depends on the mail's `base`.
        case relative
        /// `mailto`, `tel` or the scheme of an app: a browser does not go there.
        case otherScheme
        /// In a `noscript`, which some programs show and some do not.
        case noscript
        /// The parser reports it, but the source at that place does not show it.
        case notFoundInSource
        /// Its message has no index left for another link. It is rewritten for no recipient, tracked or not.
        case full
        /// Its URL is no valid target.
        case notATarget(TargetURLError)
    }

    /// The target, if it is rewritten.
    package var target: TargetURL? {
        if case .rewritten(let target) = verdict { target } else { nil }
    }

    /// Why it stays unchanged, if it does.
    package var reason: Reason? {
        if case .skipped(let reason) = verdict { reason } else { nil }
    }
}

extension BodyLink.Reason: CustomStringConvertible {
    /// The reason's name in a report.
    package var name: String {
        switch self {
        case .optedOut: "optedOut"
        case .placeholder: "placeholder"
        case .fragment: "fragment"
        case .relative: "relative"
        case .otherScheme: "otherScheme"
        case .noscript: "noscript"
        case .notFoundInSource: "notFoundInSource"
        case .full: "full"
        case .notATarget: "notATarget"
        }
    }

    package var description: String {
        switch self {
        case .optedOut: "asks not to be tracked"
        case .placeholder: "contains a placeholder that is filled in later"
        case .fragment: "leads to a place in the mail itself"
        case .relative: "is not absolute"
        case .otherScheme: "has a scheme that a browser does not follow to a page"
        case .noscript: "stands in a noscript element"
        case .notFoundInSource: "is not written where the parser reads it"
        case .full: "is new, and the message has \(MessageBody.maximumLinks) links already"
        case .notATarget(let error): error.description
        }
    }
}
