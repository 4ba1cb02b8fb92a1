import StoragePorts

/// An observer that does nothing, for a process without a redirect.
struct NoRuleObserver: RuleObserver {
    func ruleChanged(_ change: RuleChange, after previous: RuleCursor, at cursor: RuleCursor) -> Bool { true }
}
