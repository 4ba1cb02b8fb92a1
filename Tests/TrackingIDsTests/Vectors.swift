import Foundation
import Testing

/// `Vectors/tracking-id-v1.json`, which other implementations can use too. Numbers of 64 bits are hexadecimal there.
struct Vectors: Decodable {
    struct Key: Decodable {
        let keyId: UInt8
        let root: String
        let signing: String
        let sealing: String
    }

    struct Sealed: Decodable {
        let name: String
        let keyId: UInt8
        let message: String
        let recipient: String
        let link: UInt16
        let expires: UInt32
        let bytes: String
        let token: String
    }

    struct Refused: Decodable {
        let name: String
        let token: String
        let reason: String
    }

    let keys: [Key]
    let sealed: [Sealed]
    let refused: [Refused]

    init() throws {
        let file = try #require(Bundle.module.url(forResource: "Vectors/tracking-id-v1", withExtension: "json"))
        self = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
    }
}
