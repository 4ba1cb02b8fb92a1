import Messages
import Synchronization

/// The bodies of a request's first line, for lines that have none of their own. The rules for targets may change while
/// lines arrive, and each line is judged by those of its time.
final class OrderBodies: Sendable {
    private struct Judged {
        let rules: TargetRules
        let bodies: [MessageBody]
    }

    /// Guards the bodies as they were judged last; held for a copy.
    private let last: Mutex<Judged>

    /// - Parameter rules: the rules under which the bodies were read.
    init(_ bodies: [MessageBody], under rules: TargetRules) {
        last = Mutex(Judged(rules: rules, bodies: bodies))
    }

    /// The bodies with their links judged by `targets`. They are read again only if the rules have changed.
    func bodies(by targets: MailTargets) throws(BodyError) -> [MessageBody] {
        let known = last.withLock { $0 }
        guard known.rules != targets.rules else { return known.bodies }
        var bodies: [MessageBody] = []
        for body in known.bodies { bodies.append(try body.judgedAgain(by: targets)) }
        let judged = Judged(rules: targets.rules, bodies: bodies)
        last.withLock { $0 = judged }
        return bodies
    }
}
