import Cryptography
import Testing

@Suite("Base64")
struct Base64Tests {
    @Test(
        "is written as RFC 4648 has it",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"), ("\u{7F}?>~", "fz8+fg=="),
        ])
    func encoding(text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
    }
}
