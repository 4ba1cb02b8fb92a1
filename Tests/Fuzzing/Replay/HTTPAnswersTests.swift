import Testing

/// The fuzzer's own reader of answers takes answers, and nothing else.
@Suite struct HTTPAnswersTests {
    private func statuses(_ text: String) -> [Int]? { HTTPAnswers(Array(text.utf8))?.statuses }

    @Test(
        "answers are read one after the other",
        arguments: [
            ("", []), ("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", [302]),
            ("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nxx", [404]),
            (
                "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nxxHTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
                [200, 400]
            ),
            (
                "HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\nHTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n",
                [404, 302]
            ),
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", [404]),
        ])
    func reads(_ text: String, _ expected: [Int]) {
        #expect(statuses(text) == expected)
    }

    @Test(
        "what is no whole answer is none",
        arguments: [
            "x", "HTTP/1.1 302 Found\r\n", "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n", "HTTP/1.1 302 Found\r\n\r\n",
            "HTTP/1.1 302 Found\nContent-Length: 0\n\n", "HTTP/1.0 302 Found\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 3O2 Found\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n: x\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nxx", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxx",
            "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: \u{0}\r\n\r\n",
            "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 100 Continue\r\nContent-Length: 0\r\n\r\n",
        ])
    func refuses(_ text: String) {
        #expect(statuses(text) == nil)
    }
}
