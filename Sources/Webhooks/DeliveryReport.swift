/// The consequence of a reported outcome.
package struct DeliveryReport: Sendable {
    package let verdict: DeliveryProgress.Verdict
    /// `nil` if no further event is due.
    package let next: LeasedEvent?

    package init(verdict: DeliveryProgress.Verdict, next: LeasedEvent?) {
        self.verdict = verdict
        self.next = next
    }
}
