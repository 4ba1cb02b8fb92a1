/// What followed from an outcome.
package struct DeliveryReport: Sendable {
    package let verdict: DeliveryProgress.Verdict
    /// `nil` when there is none that is due.
    package let next: LeasedEvent?

    package init(verdict: DeliveryProgress.Verdict, next: LeasedEvent?) {
        self.verdict = verdict
        self.next = next
    }
}
