import Consent
import Identifiers
import Synchronization

/// Keeps what was looked up about recipients when their status was asked for, for the decisions that follow.
///
/// For the writer, on which all other writes wait, finding a recipient among a million is the most expensive part of a
/// decision. A hash never changes, and the row and the reference of a recipient change only by an erasure. So the kept
/// values are valid as long as the organization's epoch is the same, which an append checks anyway.
final class RecipientLookupCache: Sendable {
    struct Person: Sendable {
        let named: NamedRecipient
        /// The row in `recipients`; `nil` for a recipient who had none; they may have one by now.
        var recipient: Int64?
        var reference: RecipientReference?
        /// Whether the name in that row is spelt differently from the key.
        var isRespelled = false
    }

    private struct Question: Sendable {
        let organization: OrganizationID
        let epoch: OrganizationEpoch
        let recipients: [RecipientID]
        let people: [Person]
    }

    /// A client that composes line by line asks again before its last decisions are stored, and several clients may do
    /// so at the same time.
    private static let questionsKept = 8

    /// Guards the questions, the oldest first.
    private let questions = Mutex<[Question]>([])

    func keep(
        _ people: [Person], of recipients: [RecipientID], in organization: OrganizationID, asOf epoch: OrganizationEpoch
    ) {
        let question = Question(
            organization: organization, epoch: epoch, recipients: recipients, people: people)
        questions.withLock { questions in
            if questions.count == Self.questionsKept { questions.removeFirst() }
            questions.append(question)
        }
    }

    /// Removes and returns the recipients of exactly these `decisions`; `nil` if they are not kept. If a decision is
    /// about one activity, the next one is about the recipient's other activity.
    func take(
        for decisions: [Decision], in organization: OrganizationID, asOf epoch: OrganizationEpoch
    ) -> [Person]? {
        let decisionsEach = decisions.first?.activity == nil ? 1 : 2
        return questions.withLock { questions in
            let index = questions.firstIndex { question in
                question.organization == organization && question.epoch == epoch
                    && question.recipients.count * decisionsEach == decisions.count
                    && decisions.indices.allSatisfy {
                        decisions[$0].recipient == question.recipients[$0 / decisionsEach]
                    }
            }
            guard let people = index.map({ questions.remove(at: $0).people }) else { return nil }
            return decisionsEach == 1 ? people : people.flatMap { [$0, $0] }
        }
    }
}
