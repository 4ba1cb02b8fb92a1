extension Message {
    /// The links of its mail that are never rewritten, HTML first, in the order of the source.
    ///
    /// It was decided when the message was made which links are rewritten.
    ///
    /// - Parameter rules: the present rules, to say why a link was not rewritten.
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

    /// Why the rules refuse a target. The rules that refused it may have been changed since, in one respect: the
    /// allowed hosts.
    private static func refusal(of target: TargetURL, by rules: TargetRules) -> TargetURLError {
        do throws(TargetURLError) {
            _ = try TargetURL(target.text, rules: rules)
            return .hostNotAllowed
        } catch {
            return error
        }
    }
}

/// A link of a mail that stays unchanged, and the reason.
package struct SkippedLink: Hashable, Sendable {
    package let link: BodyLink
    package let reason: BodyLink.Reason
}
