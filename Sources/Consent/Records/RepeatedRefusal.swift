package import Identifiers

/// When a recipient's own no is recorded although one is in force already.
///
/// A yes from elsewhere may be reported late, with a time between the two: the later no must be there to outrank it.
package enum RepeatedRefusal {
    /// A press within this time after the no in force is the same press.
    package static let pause = Duration.seconds(60)
    /// The period in which records are counted, and how many records there may be in it: a program that has the link
    /// could fill the disk.
    package static let period = Duration.seconds(30 * 86_400)
    package static let maximumCount = 25

    /// Whether a no at `instant` comes long enough after the one in force.
    package static func isLater(_ instant: Timestamp, than inForce: Timestamp) -> Bool {
        instant >= inForce.advanced(by: pause)
    }
}
