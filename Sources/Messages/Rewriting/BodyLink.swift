/// A link that was found in a mail, and what is done with it.
package struct BodyLink: Hashable, Sendable {
    /// In which of a mail's bodies.
    package enum Part: String, Hashable, Sendable, CaseIterable {
        case html
        case text
    }

    package let part: Part
    /// Which bytes of the body mean the URL.
    package let range: Range<Int>
    /// On which line of the body they begin, from 1.
    package internal(set) var line: Int
    /// As a reader's program reads it: character references decoded, white space at its ends gone.
    package let url: String
    /// What its sender wants it called in reports.
    package let label: String?
    package let verdict: Verdict

    package enum Verdict: Hashable, Sendable {
        /// It leads through the redirect for those who are tracked.
        case rewritten(TargetURL)
        /// It stays as it is for everybody.
        case skipped(Reason)
    }

    /// Why a link stays as it is.
    package enum Reason: Hashable, Sendable {
        /// Its sender asks for it, in one of the ways that senders do.
        case optedOut
        /// Something that is filled in later stands in it.
        case placeholder
        /// A place in the mail itself, or nothing.
        case fragment
        /// It names no scheme, and means what the mail's `base` makes of it.
        case relative
        /// `mailto`, `tel`, an app's own: a browser does not go there.
        case otherScheme
        /// In a `noscript`, which some programs show and some do not.
        case noscript
        /// The parser says that it is there, and what is written there does not say so.
        case notFoundInSource
        /// Its message has no index left for another link. It is rewritten for no recipient, tracked or not.
        case full
        /// It cannot be a target.
        case notATarget(TargetURLError)
    }

    /// The target, where it is rewritten.
    package var target: TargetURL? {
        if case .rewritten(let target) = verdict { target } else { nil }
    }

    /// Why it stays as it is, where it does.
    package var reason: Reason? {
        if case .skipped(let reason) = verdict { reason } else { nil }
    }
}

extension BodyLink.Reason: CustomStringConvertible {
    /// The name under which a report has it.
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
