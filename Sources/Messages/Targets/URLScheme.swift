/// The properties of URL schemes other than `http` and `https`, by lower-case name.
enum URLScheme {
    /// Whether a URL of the scheme contains another URL, or makes the system run a program on local data. The
    /// destination of such a URL cannot be checked by its host.
    static func wrapsURL(_ scheme: String) -> Bool { wrapping.contains(scheme) }

    /// Whether a URL of the scheme can make a browser or another program open a web page of any host.
    ///
    /// `intent` can name a page in `S.browser_fallback_url`; `ms-word` and its kind open documents; the schemes of
    /// browsers begin with the browser's name.
    static func opensBrowser(_ scheme: String) -> Bool {
        opening.contains(scheme) || scheme.hasPrefix("ms-") || scheme.hasPrefix("x-safari-")
    }

    private static let wrapping: Set<String> = [
        "chrome", "feed", "filesystem", "jar", "livescript", "mhtml", "mk", "mocha", "ms-its", "ms-msdt", "res",
        "resource", "search-ms", "shell", "wyciwyg",
    ]

    private static let opening: Set<String> = [
        "android-app", "brave", "firefox", "firefox-focus", "googlechrome", "googlechromes", "intent",
        "itms-services", "microsoft-edge", "microsoft-edge-http", "microsoft-edge-https", "opera-http", "opera-https",
        "touch-http",
        "touch-https", "web+http", "web+https",
    ]
}
