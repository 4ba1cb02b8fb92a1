/// A new message would have links that never record anything: its `expiresAt` is not later than now.
package struct MessageHasEnded: Error, CustomStringConvertible {
    package let description = "must be later than now"

    package init() {}
}
