import JSON
import Testing

@Suite struct JSONPointerTests {
    @Test("the root is empty, names and indices follow slashes")
    func form() {
        #expect(JSONPointer.root.description == "")
        let actions = JSONPointer.root.appending("message").appending("actions")
        #expect(actions.appending(0).description == "/message/actions/0")
        #expect(JSONPointer.root.appending("").description == "/")
    }

    /// The names of RFC 6901, 5.
    @Test(
        "tildes and slashes in names are escaped, nothing else is",
        arguments: [
            ("foo", "/foo"), ("a/b", "/a~1b"), ("c%d", "/c%d"), ("e^f", "/e^f"), ("g|h", "/g|h"), ("i\\j", "/i\\j"),
            ("k\"l", "/k\"l"), (" ", "/ "), ("m~n", "/m~0n"), ("~1", "/~01"), ("~/~", "/~0~1~0"), ("é/", "/é~1"),
            ("//", "/~1~1"), ("/\u{301}", "/~1\u{301}"), ("~\u{301}", "/~0\u{301}"),
        ]
    )
    func escapes(_ name: String, _ pointer: String) {
        #expect(JSONPointer.root.appending(name).description == pointer)
    }
}
