package import Interactions
import Testing

/// One promise of a port, as a sentence, and what shows that an adapter keeps it.
package struct ContractPromise<Subject: Sendable>: Sendable, CustomTestStringConvertible {
    package let testDescription: String
    package let check: @Sendable (Subject) async throws -> Void

    package init(_ sentence: String, _ check: @escaping @Sendable (Subject) async throws -> Void) {
        testDescription = sentence
        self.check = check
    }
}

/// Of the ports of a storage.
package typealias Promise = ContractPromise<StorageUnderTest>

/// Of the spool.
package typealias SpoolPromise = ContractPromise<any ClickSpool>
