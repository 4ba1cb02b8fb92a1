extension Message {
    /// The links of its mail that stay as they are for everybody, HTML first, in the order of the source.
    ///
    /// Which links are rewritten was settled when the message was made.
    ///
    /// - Parameter rules: what holds now, to say why a link was not taken.
    package func skippedLinks(rules: TargetRules) throws(BodyError) -> [SkippedLink] {
        let known = Set(mailLinks)
        var skipped: [SkippedLink] = []
        for (text, part) in [(html, BodyLink.Part.html), (self.text, .text)] {
            guard let text else { continue }
            for link in try MessageBody(text, part, target: TargetURL.init(stored:)).links {
                switch link.verdict {
                case .skipped(let reason): skipped.append(SkippedLink(link: link, reason: reason))
                case .rewritten(let target):
                    guard link.mailLink.map(known.contains) != true else { continue }
                    skipped.append(SkippedLink(link: link, reason: .notATarget(Self.refusal(of: target, by: rules))))
                }
            }
        }
        return skipped
    }

    /// Why the rules refuse a target. Those that refused it may have been changed since, as far as they can be: which
    /// hosts are allowed.
    private static func refusal(of target: TargetURL, by rules: TargetRules) -> TargetURLError {
        do throws(TargetURLError) {
            _ = try TargetURL(target.text, rules: rules)
            return .hostNotAllowed
        } catch {
            return error
        }
    }
}

/// A link of a mail that stays as it is, and why.
package struct SkippedLink: Hashable, Sendable {
    package let link: BodyLink
    package let reason: BodyLink.Reason
}
