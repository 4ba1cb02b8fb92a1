package import SQL

/// State in memory that follows the rows and takes part in every transaction of the database.
///
/// All calls are on the writer's thread.
package protocol TransactionParticipant: AnyObject {
    /// The number of steps of the present transaction that can be undone; ``undo(to:)`` takes such a value.
    var savepoint: Int { get }

    /// Undoes the steps since `savepoint`; 0 undoes the whole transaction.
    func undo(to savepoint: Int)

    /// Writes what belongs to the transaction as a whole, before its commit.
    func finish(_ db: any SQLConnection) throws

    /// Called when the transaction is durable, before any caller is answered.
    func didCommit()

    /// Called between two transactions when another process has written: values read from rows before may be old.
    func forget()
}
