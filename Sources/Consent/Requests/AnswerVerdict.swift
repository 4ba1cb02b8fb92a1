package import Identifiers

/// The effect of an answer.
package enum AnswerVerdict: Hashable, Sendable {
    /// It becomes a consent record.
    case records(ConsentState)
    /// A yes that counts only after it was confirmed with the second link.
    case awaitsConfirmation
    case changesNothing(Reason)

    package enum Reason: String, Hashable, Sendable, CaseIterable {
        case erased
        /// The page does not ask about the purpose.
        case notAsked
        case expired
        case newerRequest
        case laterAnswer
        /// The same answer was given before.
        case repeated
        /// It was changed too many times. A no is still recorded.
        case tooOften
    }
}

extension ConsentRequest {
    /// The purposes that the page of a step asks about. The second page asks again about purposes that were answered on
    /// the first.
    package func asked(on step: ConsentRequestStep) -> [AskedPurpose] {
        switch step {
        case .question: purposes
        case .confirmation: purposes.filter { $0.lastAnswer != nil }
        }
    }

    /// The effect of `answer` for `purpose`. A no counts at once, on either page that asks about the purpose; a later
    /// change counts in the same way. While a yes of this request is in force, a no ends it even after a newer request
    /// was made, because the newer one may never have been received.
    package func verdict(
        on answer: ConsentAnswer, to purpose: Purpose, on step: ConsentRequestStep, at now: Timestamp
    ) -> AnswerVerdict {
        if recipient == nil { return .changesNothing(.erased) }
        guard let asked = asked(on: step).first(where: { $0.purpose == purpose }) else {
            return .changesNothing(.notAsked)
        }
        if hasExpired(at: now) { return .changesNothing(.expired) }
        switch asked.closing {
        case .newerRequest:
            guard asked.acceptsOnlyRefusal, answer == .refused else { return .changesNothing(.newerRequest) }
        case .laterAnswer: return .changesNothing(.laterAnswer)
        case nil: break
        }
        if asked.lastAnswer == answer, asked.recorded == answer, !asked.acceptsRepeatedRefusal(answer, at: now) {
            return .changesNothing(.repeated)
        }
        if answer == .given, asked.recordCount >= Self.maximumRecordCount { return .changesNothing(.tooOften) }
        if answer == .given, needsConfirmation, step == .question {
            return asked.awaitsConfirmation ? .changesNothing(.repeated) : .awaitsConfirmation
        }
        return .records(answer.state)
    }
}
