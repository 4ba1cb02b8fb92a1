import Organizations

/// Where no redirect follows the rules.
struct NobodyToTell: RuleObserver {
    func ruleChanged(_ change: RuleChange, after previous: RuleCursor, at cursor: RuleCursor) -> Bool { true }
}
