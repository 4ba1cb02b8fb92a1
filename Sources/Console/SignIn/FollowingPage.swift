import ASCII

/// The page that follows a sign-in. Any site can name it, in a link to the page for signing in.
enum FollowingPage {
    /// - Returns: a path of this console that leads to no file: the browser would save it although another site had named
    ///   it, because it follows a form of the console. In place of a file, the page of its area. `nil` if a browser
    ///   could take the text for another host, or for another path.
    static func path(_ text: String) -> String? {
        guard text.hasPrefix("/"), !text.hasPrefix("//"), text.utf8.count <= 512,
            text.utf8.allSatisfy({ $0.isVisible && $0 != UInt8(ascii: "\\") })
        else { return nil }
        let address = text.prefix { $0 != "#" }
        let path = address.prefix { $0 != "?" }
        let segments = path.split(separator: "/")
        guard !segments.contains(where: { $0 == "." || $0 == ".." || $0.contains("%") }) else { return nil }
        if FilePath.allCases.contains(where: { $0.matches(segments) }) {
            return "/" + segments.prefix(3).joined(separator: "/")
        }
        return asksForFile(address.dropFirst(path.count)) ? String(path) : text
    }

    /// Whether a query asks for the tables of a page. The console escapes no name of a member.
    private static func asksForFile(_ query: Substring) -> Bool {
        query.dropFirst().split(separator: "&").contains { member in
            let name = member.prefix { $0 != "=" }
            return name == "as" || name.contains("%") || name.contains("+")
        }
    }
}
