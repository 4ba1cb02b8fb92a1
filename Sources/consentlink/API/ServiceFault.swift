import ArgumentParser
import ConsentLinkClient
import Service

extension Problem {
    /// What it says: the detail, then a line for each member that does not fit, and how many more there are.
    var text: String? {
        guard let detail = detail?.namingOptions else { return nil }
        let places = errors.map { "\n  \($0.pointer.shown) \($0.detail.shown)" }
        let omitted = errorsOmitted > 0 ? "\n  and \(errorsOmitted) more" : ""
        return detail.shown + places.joined() + omitted
    }

    var failure: CommandFailure { CommandFailure("consentlink: \(text ?? "the service answered \(status)")") }
}

extension APIClient {
    /// What to say of a call that has no answer.
    ///
    /// - Parameter what: was asked for, such as `organization acme`: the service says "nothing here", and not what.
    func failure(_ error: ConsentLinkError, of what: String?) async -> CommandFailure {
        switch error {
        case .refused(let problem): await refusal(problem, of: what)
        case .notConnected(let reason), .unreachable(let reason):
            CommandFailure("consentlink: cannot reach \(base.shown): \(reason.shown)")
        case .brokenOff(let reason):
            CommandFailure("consentlink: the answer of \(base.shown) broke off: \(reason.shown)", isTransient: true)
        case .unexpectedAnswer(let text):
            CommandFailure("consentlink: the answer of \(base.shown) is not one of this service: \(text.shown)")
        case .invalidArgument(let text): CommandFailure("consentlink: \(text.shown)", exitCode: ExitStatus.usage)
        }
    }

    private func refusal(_ problem: Problem, of what: String?) async -> CommandFailure {
        if problem.status == 404 {
            if await isPublicListener {
                return CommandFailure(
                    """
                    consentlink: \(base.shown) is the public listener of a service; --api wants its private one \
                    (http://127.0.0.1:8081 unless it was set otherwise)
                    """)
            }
            if let what { return CommandFailure("consentlink: there is no \(what.shown) at \(base.shown)") }
        }
        return problem.failure
    }

    /// What crawlers are told stands on the public listener and on no other.
    private var isPublicListener: Bool {
        get async { await (try? HealthProbe(base: base))?.get("/robots.txt")?.status == 200 }
    }
}

extension String {
    /// With the option of this command in place of the header that it gives.
    fileprivate var namingOptions: String {
        replacing("the header Access-Reason", with: "--access-reason")
            .replacing("The header Access-Reason", with: "--access-reason")
    }
}
