import Cryptography

extension LedgerItem {
    /// Appends the line of an entry in exports: canonical JSON.
    ///
    ///     {"entry":{…},"index":17,"private":{…},"salt":"q83vEjRWeJC6ze8SNFZ4kA=="}
    ///
    /// Entries about an erased recipient no longer have private fields or a salt; changes of enforcement, erasures,
    /// purges and entries about forgotten accesses never have any. A proof has the same text without the index
    /// (``extra``).
    func appendLine(to json: inout [UInt8]) {
        json.append(contentsOf: #"{"entry":"#.utf8)
        json.append(contentsOf: entry)
        json.append(contentsOf: #","index":\#(leaf)"#.utf8)
        if let opening {
            json.append(contentsOf: #","private":"#.utf8)
            json.append(contentsOf: opening.fields)
            json.append(contentsOf: #","salt":""#.utf8)
            Base64.append(opening.salt.bytes.span, to: &json)
            json.append(UInt8(ascii: "\""))
        }
        json.append(contentsOf: "}\n".utf8)
    }
}

/// The places of the parts in such a line, or in the extra data of a proof.
struct EntryText {
    let index: UInt64?
    let entry: ArraySlice<UInt8>
    let fields: ArraySlice<UInt8>?
    let salt: Salt?

    /// - Returns: `nil` for bytes in any other form.
    init?(_ text: ArraySlice<UInt8>) {
        var scanner = JSONScanner(text)
        guard scanner.take(Self.entryKey), let entry = scanner.object() else { return nil }
        var (index, fields, salt): (UInt64?, ArraySlice<UInt8>?, Salt?) = (nil, nil, nil)
        if scanner.take(Self.indexKey) {
            guard let number = UInt64(decimal: scanner.digits()) else { return nil }
            index = number
        }
        if scanner.take(Self.privateKey) {
            guard let object = scanner.object(), scanner.take(Self.saltKey), let text = scanner.string(),
                let read = Salt(base64: text)
            else { return nil }
            (fields, salt) = (object, read)
        }
        guard scanner.take(Self.end), scanner.rest.isEmpty else { return nil }
        (self.index, self.entry, self.fields, self.salt) = (index, entry, fields, salt)
    }

    private static let entryKey = Array(#"{"entry":"#.utf8)
    private static let indexKey = Array(#","index":"#.utf8)
    private static let privateKey = Array(#","private":"#.utf8)
    private static let saltKey = Array(#","salt":"#.utf8)
    private static let end = Array("}".utf8)
}

extension Salt {
    fileprivate init?(base64 text: ArraySlice<UInt8>) {
        var bytes = InlineArray<16, UInt8>(repeating: 0)
        var output = bytes.mutableSpan
        guard Base64.decode(text.span, into: &output) else { return nil }
        self.init(bytes.span)
    }
}

extension Commitment {
    init?(base64 text: ArraySlice<UInt8>) {
        var bytes = InlineArray<32, UInt8>(repeating: 0)
        var output = bytes.mutableSpan
        guard Base64.decode(text.span, into: &output) else { return nil }
        self.init(bytes)
    }
}
