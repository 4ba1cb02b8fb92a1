/// Why a connection ended before everything was answered. Another one may do.
struct RetryableFailure: Error {
    /// What to tell of it.
    let text: String
    /// The service is there and said itself that it cannot just now.
    var isTemporary = false

    func failure(_ base: String) -> CommandFailure {
        isTemporary ? CommandFailure("consentlink: \(text)") : APIClient.unreachable(base, text)
    }
}
