/// The service manager passes a socket that no listener takes.
package struct SurplusSocketError: Error, Equatable, CustomStringConvertible {
    /// As the manager names it.
    let name: String

    package var description: String {
        """
        the service manager passes a socket named "\(name)" that no listener takes: the names (LISTEN_FDNAMES, \
        FileDescriptorName=) are public, private and console, and each can have one socket
        """
    }
}
