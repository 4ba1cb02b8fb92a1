/// The numbers of a recipient's rows that no longer name the recipient.
package struct ErasureCounts: Hashable, Sendable {
    package let consents: Int
    package let decisions: Int
    package let interactions: Int

    package init(consents: Int, decisions: Int, interactions: Int) {
        self.consents = consents
        self.decisions = decisions
        self.interactions = interactions
    }
}
