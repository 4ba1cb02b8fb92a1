import Cryptography

/// The look of pages, and their rights in a browser.
enum WebPageStyle {
    static let css: HTML = """
        :root { color-scheme: light dark; }
        body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 12vh auto 0; padding: 0 1.5rem 2rem;
          background: #fff; color: #1a1a1a; overflow-wrap: anywhere; }
        h1 { font-size: 1.6rem; line-height: 1.25; }
        h2 { font-size: 1.2rem; line-height: 1.3; margin-top: 2rem; }
        em { font-style: normal; font-weight: 600; }
        a { color: #0b4f9e; }
        button { font: inherit; min-height: 3rem; padding: .5rem 1.5rem; border: 2px solid #0b4f9e; border-radius: .4rem;
          background: #0b4f9e; color: #fff; cursor: pointer; margin: .25rem 0; }
        .choice { display: flex; flex-wrap: wrap; gap: .5rem 1rem; }
        .choice button { flex: 1 1 12rem; }
        a:focus-visible, button:focus-visible { outline: 3px solid #b35f00; outline-offset: 3px; }
        nav { margin-top: 3rem; border-top: 1px solid #767676; font-size: 1rem; }
        nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
        a { display: inline-block; padding: .25rem 0; }
        nav a[aria-current] { color: inherit; font-weight: 600; text-decoration: none; }
        @media (prefers-color-scheme: dark) {
          body { background: #121212; color: #ececec; }
          a { color: #9cc7ff; }
          button { background: #9cc7ff; border-color: #9cc7ff; color: #0a1a2e; }
          a:focus-visible, button:focus-visible { outline-color: #ffb35c; }
        }
        """

    /// A page loads and runs nothing, and its form posts only to its own origin. No other page may frame it, so that no
    /// reader is tricked into pressing its button.
    static let contentSecurityPolicy = {
        let hash = Base64.encode(SHA256.hash(of: Array(css.text.utf8)))
        return """
            default-src 'none'; style-src 'sha256-\(hash)'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'
            """
    }()
}
