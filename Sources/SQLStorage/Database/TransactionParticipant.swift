package import SQL

/// State in memory that follows the rows: it takes part in every transaction of the database.
///
/// All of it happens on the writer's thread.
package protocol TransactionParticipant: AnyObject {
    /// How much of the present transaction can be undone; a place for ``undo(to:)`` to go back to.
    var mark: Int { get }

    /// Undoes what was done since `mark`; 0 undoes all of the transaction.
    func undo(to mark: Int)

    /// Writes what belongs to the transaction as a whole, before its commit.
    func finish(_ db: any SQLConnection) throws

    /// The transaction is durable, and no caller has been told so yet.
    func didCommit()

    /// Another process has written: what was read from rows before may be old. Between two transactions.
    func forget()
}
