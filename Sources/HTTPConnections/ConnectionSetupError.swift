/// Why a connection cannot be set up.
package enum ConnectionSetupError: Error {
    /// The connection belongs to an event loop outside the group that the listener was made for.
    case foreignLoop
}
