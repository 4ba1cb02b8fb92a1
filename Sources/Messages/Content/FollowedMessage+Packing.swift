package import Identifiers

/// The packed form: a node stores each message like this in a file of its own, and nodes send it to each other. Numbers
/// have variable length (LEB128); a text is its length and its bytes. About 30 bytes in addition to the targets.
extension FollowedMessage {
    /// The form's version. A form of another version is not read: the file is filled again.
    private static let version: UInt8 = 1

    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let disabled = Flags(rawValue: 1)
        static let untracked = Flags(rawValue: 2)
        static let tracksOpens = Flags(rawValue: 4)
        static let opensApart = Flags(rawValue: 8)
        static let all = Flags(rawValue: 15)
    }

    /// Everything except the id.
    package var packed: [UInt8] {
        var flags: Flags = []
        if isDisabled { flags.insert(.disabled) }
        if isUntracked { flags.insert(.untracked) }
        if tracksOpens { flags.insert(.tracksOpens) }
        if purposes.shared == nil { flags.insert(.opensApart) }
        var bytes = [Self.version, flags.rawValue]
        bytes.append(packing: organization.description)
        bytes.append(packing: purposes.clicks.description)
        if flags.contains(.opensApart) { bytes.append(packing: purposes.opens.description) }
        bytes.append(packing: UInt64(actions.count))
        for action in actions { bytes.append(packing: action) }
        bytes.append(packing: UInt64(targets.count))
        for (index, target) in targets.sorted(by: { $0.key < $1.key }) {
            bytes.append(packing: UInt64(index.rawValue))
            bytes.append(packing: target.text)
        }
        return bytes
    }

    /// - Returns: `nil` if ``packed`` cannot have written it.
    package init?(id: MessageID, packed bytes: [UInt8]) {
        var rest = bytes[...]
        guard rest.popFirst() == Self.version, let flags = rest.popFirst().map(Flags.init), Flags.all.contains(flags),
            let organization = rest.unpackText().flatMap({ try? OrganizationID($0) }),
            let clicks = rest.unpackText().flatMap({ try? Purpose($0) })
        else { return nil }
        var opens = clicks
        if flags.contains(.opensApart) {
            guard let apart = rest.unpackText().flatMap({ try? Purpose($0) }) else { return nil }
            opens = apart
        }
        guard let actionCount = rest.unpackNumber(), actionCount <= UInt64(bytes.count) else { return nil }
        var actions: [String] = []
        for _ in 0..<actionCount {
            guard let action = rest.unpackText() else { return nil }
            actions.append(action)
        }
        guard let targetCount = rest.unpackNumber(), targetCount <= UInt64(bytes.count) else { return nil }
        var targets: [LinkIndex: TargetURL] = [:]
        for _ in 0..<targetCount {
            guard let index = rest.unpackNumber().flatMap(UInt16.init(exactly:)),
                let target = rest.unpackText().flatMap({ try? TargetURL(stored: $0) }),
                targets.updateValue(target, forKey: LinkIndex(rawValue: index)) == nil
            else { return nil }
        }
        guard rest.isEmpty else { return nil }
        self.init(
            id: id, organization: organization, purposes: MessagePurposes(clicks: clicks, opens: opens),
            isDisabled: flags.contains(.disabled), isUntracked: flags.contains(.untracked),
            tracksOpens: flags.contains(.tracksOpens), actions: actions, targets: targets)
    }
}

extension [UInt8] {
    fileprivate mutating func append(packing number: UInt64) {
        var rest = number
        while rest > 0x7F {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    fileprivate mutating func append(packing text: String) {
        append(packing: UInt64(text.utf8.count))
        append(contentsOf: text.utf8)
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func unpackNumber() -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 63, by: 7) {
            guard let byte = popFirst() else { return nil }
            number |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte & 0x80 == 0 { return number }
        }
        return nil
    }

    fileprivate mutating func unpackText() -> String? {
        guard let count = unpackNumber().flatMap(Int.init(exactly:)), count <= self.count,
            let text = String(validating: prefix(count), as: UTF8.self)
        else { return nil }
        removeFirst(count)
        return text
    }
}
