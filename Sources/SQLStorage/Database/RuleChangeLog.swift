package import SQL
package import StoragePorts

/// Numbers the changes of the rules in the order of the commits, and keeps them. Is used on the writer's thread.
package protocol RuleChangeLog: AnyObject {
    /// Enters the changes of a transaction, before its commit. A transaction that is run again enters them again.
    func enter(_ changes: [RuleChange], _ transaction: any RuleTransaction) throws

    /// Called when the entered changes are durable, before any caller is answered.
    func didCommit()
}

/// The transaction in which changes are entered.
package protocol RuleTransaction: AnyObject {
    var db: any SQLConnection { get }
    /// The end of the feed; `nil` if the feed is in no table.
    var feedHead: RuleCursor? { get set }
}
