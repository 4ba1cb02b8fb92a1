import Messages

extension RuleChange {
    /// The approximate memory of the change, in units of 64 bytes; at least 1.
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
    /// A push payload has at most 64 KiB; a mail can be much longer, and has links of about 256 bytes.
    fileprivate var weight: Int {
        let mail = (content.html?.utf8.count ?? 0) + (content.text?.utf8.count ?? 0)
        return 1024 + mail / 64 + links.count * 4
    }
}
