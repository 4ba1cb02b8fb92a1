/// Stops the process when a context that was set up fails at work.
///
/// Setting up asks libcrypto for algorithms that it may not have, so it throws. After that an operation on bytes in
/// memory has one cause of failure left: no memory, where Swift itself stops. So callers handle no error that cannot
/// happen, and never get a hash that was not computed.
func requireDone(_ done: Bool, _ operation: StaticString) {
    precondition(done, "libcrypto failed at \(operation)")
}
