/// What is kept in memory of the rows and changes with them: it takes part in every transaction of the main file.
///
/// All of it happens on the writer's queue.
protocol TransactionParticipant: AnyObject {
    /// How much of the present transaction there is to undo. A place for ``undo(to:)`` to go back to.
    var mark: Int { get }

    /// Undoes what was done since `mark`; 0 undoes all of the transaction.
    func undo(to mark: Int)

    /// The transaction is durable, and none of its requests was told so far.
    func didCommit()
}
