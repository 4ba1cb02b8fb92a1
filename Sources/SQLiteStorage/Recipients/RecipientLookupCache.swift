import Consent
import Identifiers
import Synchronization

/// Keeps what was looked up of people when it was asked where they stand, for the decisions about them that follow.
///
/// Finding somebody among a million costs the writer, on whom all wait, more than anything else that it does for a
/// decision. A hash never changes, and neither does a person's row or its reference but by an erasure: so what is kept
/// holds as long as nobody of the organization was erased, which an append sees to anyway.
final class RecipientLookupCache: Sendable {
    struct Person: Sendable {
        let named: NamedRecipient
        /// The row in `recipients`; `nil` for whoever had none, which may have changed since.
        var recipient: Int64?
        var reference: RecipientReference?
        /// Whether the name in that row is spelt otherwise than the key.
        var isRespelled = false
    }

    private struct Question: Sendable {
        let organization: OrganizationID
        let erasures: ErasureCount
        let recipients: [RecipientID]
        let people: [Person]
    }

    /// Who composes by lines asks once more before the last decisions are stored; several may at once.
    private static let questionsKept = 8

    /// Guards the questions, the oldest first.
    private let questions = Mutex<[Question]>([])

    func keep(
        _ people: [Person], of recipients: [RecipientID], in organization: OrganizationID, asOf erasures: ErasureCount
    ) {
        let question = Question(
            organization: organization, erasures: erasures, recipients: recipients, people: people)
        questions.withLock { questions in
            if questions.count == Self.questionsKept { questions.removeFirst() }
            questions.append(question)
        }
    }

    /// What is kept of the recipients of all of `decisions`, and forgets it; `nil` when that is nothing.
    func take(
        for decisions: [Decision], in organization: OrganizationID, asOf erasures: ErasureCount
    ) -> [Person]? {
        questions.withLock { questions in
            let index = questions.firstIndex { question in
                question.organization == organization && question.erasures == erasures
                    && question.recipients.elementsEqual(decisions) { $0 == $1.recipient }
            }
            return index.map { questions.remove(at: $0).people }
        }
    }
}
