import Consent
import Identifiers
import Synchronization

/// Keeps what was looked up about people when their status was asked for, for the decisions about them that follow.
///
/// Finding a person among a million costs the writer, for whom all others wait, more than anything else that it does
/// for a decision. A hash never changes, and a person's row and reference change only by an erasure. So what is kept is
/// valid as long as the organization's epoch is the same, which an append checks anyway.
final class RecipientLookupCache: Sendable {
    struct Person: Sendable {
        let named: NamedRecipient
        /// The row in `recipients`; `nil` for a person who had none, which may have changed since.
        var recipient: Int64?
        var reference: RecipientReference?
        /// Whether the name in that row is spelt otherwise than the key.
        var isRespelled = false
    }

    private struct Question: Sendable {
        let organization: OrganizationID
        let epoch: OrganizationEpoch
        let recipients: [RecipientID]
        let people: [Person]
    }

    /// A client that composes by lines asks again before its last decisions are stored; several clients may do so at
    /// once.
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

    /// What is kept of the recipients of all of `decisions`, and forgets it; `nil` when that is nothing. Where a decision
    /// is about one activity, the other one of its recipient follows.
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
