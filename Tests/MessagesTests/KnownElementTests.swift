import Testing

@testable import Messages

@Suite struct KnownElementTests {
    /// - Parameter behind: how many bytes follow the name, which is then at the end of what may be read or not.
    private static func element(_ name: String, behind: Int) -> KnownElement? {
        let bytes = Array(name.utf8) + [UInt8](repeating: UInt8(ascii: "z"), count: behind)
        return bytes.withUnsafeBufferPointer { KnownElement(0..<name.utf8.count, in: $0) }
    }

    @Test("Every known name is found, in any case, with and without bytes behind it", arguments: KnownElement.allCases)
    func known(element: KnownElement) {
        for behind in 0...9 {
            #expect(Self.element(element.rawValue, behind: behind) == element)
            #expect(Self.element(element.rawValue.uppercased(), behind: behind) == element)
            #expect(
                Self.element(element.rawValue.prefix(1).uppercased() + element.rawValue.dropFirst(), behind: behind)
                    == element)
        }
    }

    @Test("No name is taken for another", arguments: KnownElement.allCases)
    func others(element: KnownElement) {
        let names = Set(KnownElement.allCases.map(\.rawValue))
        for behind in 0...9 {
            // Each byte with the bit flipped that tells upper from lower case in letters, and in others does not.
            for index in element.rawValue.utf8.indices.dropFirst() {
                var bytes = Array(element.rawValue.utf8)
                let offset = element.rawValue.utf8.distance(from: element.rawValue.utf8.startIndex, to: index)
                for byte in [0x12, 0x40, 0x5B, 0x60, 0x7B, bytes[offset] & 0x1F, bytes[offset] | 0x80] as [UInt8] {
                    bytes[offset] = byte
                    let found = (bytes + [UInt8](repeating: 0x20, count: behind)).withUnsafeBufferPointer {
                        KnownElement(0..<bytes.count, in: $0)
                    }
                    #expect(found == nil)
                }
            }
            for other in [
                element.rawValue + "x", element.rawValue + "\0", element.rawValue + String(repeating: "a", count: 16),
            ]
            where !names.contains(other) {
                #expect(Self.element(other, behind: behind) == nil)
            }
        }
    }
}
