import Testing

@testable import Console

@Suite struct FollowingPageTests {
    @Test(
        "a sign-in leads on to any page of the console",
        arguments: [
            "/", "/health", "/orgs/acme/ledger", "/orgs/acme/campaigns?from=2026-11-01&tag=a%26b",
            "/orgs/acme/ledger#x", "/orgs/acme/person/AbC", "/orgs/acme/campaigns?asked=csv",
            "/orgs/acme/person/export", "/orgs/acme/decisions?message=as&from=as",
        ])
    func pages(_ text: String) {
        #expect(FollowingPage.path(text) == text)
    }

    @Test(
        "it leads on to no file, but to its page, however the file is spelt",
        arguments: [
            ("/orgs/acme/ledger/export", "/orgs/acme/ledger"), ("/orgs/acme/ledger/export/", "/orgs/acme/ledger"),
            ("/orgs//acme/ledger///export?from=2026-11-01", "/orgs/acme/ledger"),
            ("/orgs/acme/ledger/export#x", "/orgs/acme/ledger"), ("/orgs/acme/person/AbC/export", "/orgs/acme/person"),
            ("/orgs/acme/person/AbC/decisions/3f/proof", "/orgs/acme/person"),
            ("/orgs/acme/person/AbC/consents/3f/proof", "/orgs/acme/person"),
            ("/orgs/acme/campaigns?as=csv", "/orgs/acme/campaigns"),
            ("/orgs/acme/campaigns?from=2026-11-01&%61s=json#x", "/orgs/acme/campaigns"),
            ("/orgs/acme/campaigns?as=&as=csv", "/orgs/acme/campaigns"),
        ])
    func files(_ text: String, _ page: String) {
        #expect(FollowingPage.path(text) == page)
    }

    @Test(
        "what a browser takes for another host or another path is nothing that follows",
        arguments: [
            "", "health", "//evil.example", "/\\evil.example", "https://evil.example", "/a b", "/a\n", "/\u{e4}",
            "/orgs/acme/ledger/%65xport", "/orgs/acme/ledger/x/../export", "/orgs/acme/ledger/./export",
            "/orgs/acme/ledger/x/%2E%2e/export", "/" + String(repeating: "a", count: 512),
        ])
    func neither(_ text: String) {
        #expect(FollowingPage.path(text) == nil)
    }
}
