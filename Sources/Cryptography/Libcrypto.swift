/// Stops the process if an operation fails on a context that was set up successfully.
///
/// Setting up asks libcrypto for algorithms that it may not have, so it throws. After that, an operation on bytes in
/// memory can fail only for lack of memory, for which Swift itself stops. So callers handle no error that cannot
/// happen, and never get a hash that was not computed.
func requireDone(_ done: Bool, _ operation: StaticString) {
    precondition(done, "libcrypto failed at \(operation)")
}
