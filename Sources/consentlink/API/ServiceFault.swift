import ArgumentParser
import ConsentLinkClient
import Service

extension Problem {
    /// The text of the problem: the detail, then a line for each invalid member, and the number of further ones.
    var text: String? {
        guard let detail = detail?.namingOptions else { return nil }
        let places = errors.map { "\n  \($0.pointer.shown) \($0.detail.shown)" }
        let omitted = errorsOmitted > 0 ? "\n  and \(errorsOmitted) more" : ""
        return detail.shown + places.joined() + omitted
    }

    var failure: CommandFailure { CommandFailure("consentlink: \(text ?? "the service answered \(status)")") }
}

extension APIClient {
    /// The failure of a call without a valid answer.
    ///
    /// - Parameter what: the requested thing, such as `organization acme`: the service's 404 does not name it.
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
                    consentlink: \(base.shown) is the public listener of a service; --api needs its private one \
                    (http://127.0.0.1:8081 unless it was set otherwise)
                    """)
            }
            if let what { return CommandFailure("consentlink: there is no \(what.shown) at \(base.shown)") }
        }
        guard problem.status == 401, let keySource else { return problem.failure }
        return problem.failure.adding(
            """
            The service at \(base.shown) does not know the key in \(keySource.shown). --data names the folder of a \
            service, whose operator.key is used unless CONSENTLINK_KEY is set.
            """)
    }

    /// Only the public listener has a `robots.txt`.
    private var isPublicListener: Bool {
        get async { await (try? HealthProbe(base: base))?.get("/robots.txt")?.status == 200 }
    }
}

extension String {
    /// The text with the option of this command in place of its header. The command encodes what the option gives.
    fileprivate var namingOptions: String {
        guard contains("header Access-Reason") else { return self }
        return replacing("the header Access-Reason", with: "--access-reason")
            .replacing("The header Access-Reason", with: "--access-reason")
            .replacing(", percent-encoded", with: "")
    }
}
