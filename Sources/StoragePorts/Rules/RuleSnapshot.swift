/// All rules, and their place in the feed.
package struct RuleSnapshot: Sendable {
    package let organizations: [OrganizationRules]
    package let cursor: RuleCursor

    package init(organizations: [OrganizationRules], cursor: RuleCursor) {
        self.organizations = organizations
        self.cursor = cursor
    }
}
