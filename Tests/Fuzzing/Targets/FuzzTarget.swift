/// Something that reads what strangers send, and what must hold whatever that is.
///
/// The fuzzer makes up inputs for it, and the ordinary tests give it those of its corpus. Not for two threads at once.
package protocol FuzzTarget: SendableMetatype {
    /// What `Tests/Fuzzing/run` calls it, and the folder of its corpus.
    static var name: String { get }

    init() throws

    /// Lets the code under test read `input`, and looks at what it makes of it.
    ///
    /// - Returns: whether it took the input for what it is there to read, so that there was something to look at.
    /// - Throws: when what must hold does not.
    func hold(_ input: [UInt8]) throws -> Bool
}

package enum FuzzTargets {
    package static let all: [any FuzzTarget.Type] = [
        TrackingIDTarget.self, RequestTarget.self, TargetURLTarget.self, ComposeTarget.self, DeviceEventTarget.self,
        MailHTMLTarget.self, MailTextTarget.self,
    ]
}

/// What should hold, and did not.
package struct BrokenPromise: Error, CustomStringConvertible {
    package let description: String
}

func demand(_ holds: Bool, _ what: @autoclosure () -> String) throws {
    guard holds else { throw BrokenPromise(description: what()) }
}
