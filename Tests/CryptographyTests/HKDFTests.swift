import Cryptography
import Testing

@Suite struct HKDFTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        let secret: String
        let salt: String
        let info: String
        let output: String
        var testDescription: String { name }
    }

    /// RFC 5869, A.1–A.3.
    static let vectors = [
        Vector(
            name: "A.1: basic",
            secret: String(repeating: "0b", count: 22),
            salt: "000102030405060708090a0b0c",
            info: "f0f1f2f3f4f5f6f7f8f9",
            output: "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
        ),
        Vector(
            name: "A.2: longer inputs and outputs",
            secret: run(0x00...0x4f),
            salt: run(0x60...0xaf),
            info: run(0xb0...0xff),
            output: "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
                + "59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71"
                + "cc30c58179ec3e87c14c01d5c1f3434f1d87"
        ),
        Vector(
            name: "A.3: no salt and no info",
            secret: String(repeating: "0b", count: 22),
            salt: "",
            info: "",
            output: "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
        ),
    ]

    private static func run(_ bytes: ClosedRange<UInt8>) -> String { Hexadecimal.encode(Array(bytes)) }

    @Test("the vectors of RFC 5869", arguments: vectors)
    func vector(_ vector: Vector) throws {
        let output = try hex(vector.output)
        let derived = try HKDF.derive(
            from: SecretBytes(hex(vector.secret)),
            salt: hex(vector.salt),
            info: hex(vector.info),
            count: output.count
        )
        #expect(derived == SecretBytes(output))
    }

    @Test("another info gives another key")
    func infoSeparates() throws {
        let secret = SecretBytes([UInt8](repeating: 1, count: 32))
        let one = try HKDF.derive(from: secret, info: [1])
        #expect(try HKDF.derive(from: secret, info: [1]) == one)
        #expect(try HKDF.derive(from: secret, info: [2]) != one)
    }

    @Test("lengths that HKDF cannot derive are refused", arguments: [-1, 0, 255 * 32 + 1])
    func lengths(_ count: Int) throws {
        #expect(throws: CryptographyError.derivedLength(allowed: 1...8160)) {
            try HKDF.derive(from: SecretBytes([1]), info: [], count: count)
        }
    }
}
