package import Organizations
package import SQL

/// Where changes of the rules go: numbers them in the order of the commits. Lives on the writer's thread.
package protocol RuleChangeLog: AnyObject {
    /// Enters the changes of a transaction, before its commit. A transaction that is run again enters them again.
    func enter(_ changes: [RuleChange], _ place: any RulePlace) throws

    /// What was entered last is durable, and no caller has been told so yet.
    func didCommit()
}

/// The transaction that changes are entered in.
package protocol RulePlace: AnyObject {
    var db: any SQLConnection { get }
    /// Where the feed ends; `nil` where no table has it.
    var feedHead: RuleCursor? { get set }
}
