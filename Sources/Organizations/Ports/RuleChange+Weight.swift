import Messages

extension RuleChange {
    /// About how much memory it takes, in units of 64 bytes; 1 at least.
    package var weight: Int {
        switch self {
        case .consent(let changes, _): max(changes.count, 1)
        case .recording(let ends, _, _): ends.values.reduce(1) { $0 + $1.count / 4 }
        case .message(let message): message.weight
        case .erasure, .privacyControl: 1
        }
    }
}

extension StoredMessage {
    /// A push payload is 64 KiB at most; a mail can be much longer, and has links of about 256 bytes.
    fileprivate var weight: Int {
        let mail = (content.html?.utf8.count ?? 0) + (content.text?.utf8.count ?? 0)
        return 1024 + mail / 64 + links.count * 4
    }
}
