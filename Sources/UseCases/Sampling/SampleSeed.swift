/// A seed that an auditor chooses, such as the result of rolling dice.
package struct SampleSeed: Hashable, Sendable {
    package let text: String

    package init(_ text: String) throws(SampleError) {
        guard (1...DecisionSampleRequest.maximumSeedLength).contains(text.utf8.count) else { throw .seed }
        self.text = text
    }
}
