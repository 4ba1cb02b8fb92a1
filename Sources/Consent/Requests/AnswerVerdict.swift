package import Identifiers

/// What a press of a button does.
package enum AnswerVerdict: Hashable, Sendable {
    /// It becomes a consent record.
    case records(ConsentState)
    /// A yes that counts once the second link was pressed.
    case awaitsConfirmation
    case changesNothing(Reason)

    package enum Reason: String, Hashable, Sendable, CaseIterable {
        case erased
        /// The page does not ask about the purpose.
        case notAsked
        case expired
        case newerRequest
        case laterAnswer
        /// It was answered so before.
        case repeated
        /// It was changed too many times. A no is recorded still.
        case tooOften
    }
}

extension ConsentRequest {
    /// The purposes that the page of a step asks about. The second page asks again about what was answered on the first.
    package func asked(on step: ConsentRequestStep) -> [AskedPurpose] {
        switch step {
        case .question: purposes
        case .confirmation: purposes.filter { $0.pressed != nil }
        }
    }

    /// What it does when `answer` is pressed for `purpose`. A no counts at once, on either page; a later press of the
    /// other button counts as the first did. While a yes of this request is in force a no ends it, although a newer request
    /// was made: nobody may have got that one.
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
            guard asked.takesNoAlone, answer == .refused else { return .changesNothing(.newerRequest) }
        case .laterAnswer: return .changesNothing(.laterAnswer)
        case nil: break
        }
        if asked.pressed == answer, asked.recorded == answer { return .changesNothing(.repeated) }
        if answer == .given, asked.recordCount >= Self.greatestRecordCount { return .changesNothing(.tooOften) }
        if answer == .given, needsConfirmation, step == .question {
            return asked.awaitsConfirmation ? .changesNothing(.repeated) : .awaitsConfirmation
        }
        return .records(answer.state)
    }
}
