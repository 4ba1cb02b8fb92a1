/// A new message would have links that never record anything: its `expiresAt` is not later than now.
package struct MessageHasEnded: Error, CustomStringConvertible {
    package let description = "the time at which the message's links stop recording is not later than now"

    package init() {}
}
