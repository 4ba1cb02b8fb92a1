import Testing

@testable import Service

@Suite struct ShellWordTests {
    @Test(
        "a path is one word of a command, whatever is in it",
        arguments: [
            ("/var/lib/consentlink", "/var/lib/consentlink"), ("./data-2_a.b", "./data-2_a.b"),
            ("/my data", "'/my data'"), ("Ann's", #"'Ann'\''s'"#), ("'", #"''\'''"#), ("", "''"),
            ("~/data", "'~/data'"),
            ("$HOME", "'$HOME'"), ("a;b", "'a;b'"), ("größe", "'größe'"), ("a\\b", #"'a\b'"#), ("*", "'*'"),
            ("a\nb", #"$'a\x0ab'"#), ("a\u{202E}'\\ b", #"$'a\xe2\x80\xae\'\\ b'"#),
        ])
    func word(_ text: String, _ word: String) { #expect(text.shellWord == word) }
}
