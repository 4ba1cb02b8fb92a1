/// State in memory that follows the rows: it takes part in every transaction of the database.
///
/// All of it happens on the writer's thread.
package protocol TransactionParticipant: AnyObject {
    /// How much of the present transaction can be undone; a place for ``undo(to:)`` to go back to.
    var mark: Int { get }

    /// Undoes what was done since `mark`; 0 undoes all of the transaction.
    func undo(to mark: Int)

    /// The transaction is durable, and no caller has been told so yet.
    func didCommit()
}
