import JSON
import TestSupport
import Testing

@Suite struct JSONIndentedTests {
    @Test("a value is written a member a line, and reads as the same value")
    func lines() throws {
        let value = try JSONValue.parse(Array(#"{"a":[1,{"b":"x\"y"},[]],"c":{},"d":null,"e":true}"#.utf8))
        let written = value.indented()
        #expect(
            String(decoding: written, as: UTF8.self) == """
                {
                  "a": [
                    1,
                    {
                      "b": "x\\"y"
                    },
                    []
                  ],
                  "c": {},
                  "d": null,
                  "e": true
                }

                """)
        #expect(try JSONValue.parse(written) == value)
    }

    @Test("10,000 random values read as what they were")
    func random() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<10_000 {
            let value = random.value(depth: 4)
            #expect(try JSONValue.parse(value.indented()) == value)
        }
    }
}
