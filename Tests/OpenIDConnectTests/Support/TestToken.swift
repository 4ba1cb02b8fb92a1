import Cryptography
import JWTKit

@testable import OpenIDConnect

/// An ID token as its parts, each of which a test may change.
struct TestToken: Sendable {
    /// Members as JSON texts.
    var header: [String: String]
    var claims: [String: String] = Sample.claims
    /// In place of `header` and `claims`, what no dictionary can say.
    var headerText: String?
    var claimsText: String?

    init(_ key: TestKey) {
        header = ["alg": "\"\(key.algorithm.rawValue)\"", "typ": "\"JWT\""]
        if let kid = key.kid { header["kid"] = "\"\(kid)\"" }
    }

    var signed: String {
        let header = Base64URL.encode(Array((headerText ?? Sample.json(self.header)).utf8))
        return header + "." + Base64URL.encode(Array((claimsText ?? Sample.json(claims)).utf8))
    }

    func text(_ signer: any JWTAlgorithm) throws -> String {
        signed + "." + Base64URL.encode(try signer.sign(Array(signed.utf8)))
    }
}
