/// What a follower of the rules gets for its cursor.
package enum RulePage: Sendable {
    /// Empty if there is no change after the given cursor. Then `next` is that cursor.
    case changes([RuleChange], next: RuleCursor)
    /// The feed does not know the cursor: the change before it was removed, or belongs to another history. The
    /// follower's rules may be wrong, so it needs a snapshot.
    /// - Parameter isOtherHistory: whether the storage was restored: it may lack changes that the follower has.
    case replaced(isOtherHistory: Bool)
}
