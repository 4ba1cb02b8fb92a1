/// A socket that the service manager passes has another address than the setting.
package struct PassedSocketError: Error, Equatable, CustomStringConvertible {
    let setting: String
    /// The address in the setting; `nil` for `off`.
    let set: ListenAddress?
    /// `nil` if it is not a TCP socket over IP.
    let bound: ListenAddress?

    package var description: String {
        """
        \(setting) is \(set?.description ?? "off"), and the socket that the service manager passes for it is at \
        \(bound?.description ?? "no address of TCP"): set both to the same address
        """
    }
}
