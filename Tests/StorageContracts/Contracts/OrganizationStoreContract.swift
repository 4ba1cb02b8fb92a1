import Consent
import Identifiers
import Messages
import Organizations
import TestSupport
import Testing

/// What every `OrganizationStore` promises about organizations and keys.
package enum OrganizationStoreContract {
    package static let promises: [Promise] = [
        Promise("an organization is made together with its first key, once") { storage in
            let initech = Organization(
                id: try OrganizationID("Initech-1.eu"), name: "Initech", enforcement: .nonRestrictive,
                targetHosts: [try TargetHostPattern("shop.example"), try TargetHostPattern("*.shop.example")],
                honorsGPC: false, retention: Retention(interactionsDays: 7, decisionsDays: nil), requiresEvidence: true,
                consentPage: try ConsentPageURL("https://shop.example/agree?a=1"))
            let new = NewAPIKey(
                digest: APIKeyDigest(bytes: [UInt8](repeating: 9, count: 32)), name: "backend",
                scopes: [.compose, .read])
            let key = try #require(try await storage.organizations.create(initech, firstKey: new, at: .noon))
            #expect(key.organization == initech.id)
            #expect(key.name == "backend")
            #expect(key.scopes == [.compose, .read])
            #expect(try await storage.organizations.organization(initech.id) == initech)
            #expect(try await storage.organizations.key(with: new.digest) == key)

            let taken = try await storage.organizations.create(
                Organization(id: initech.id, name: "Other", enforcement: .restrictive),
                firstKey: StorageUnderTest.key(77), at: .noon)
            #expect(taken == nil)
            #expect(try await storage.organizations.organization(initech.id) == initech)
            #expect(try await storage.organizations.keys(of: initech.id) == [key])
        },
        Promise("ids that differ in case are two organizations") { storage in
            let upper = Organization(id: try OrganizationID("ACME"), name: "", enforcement: .restrictive)
            let key = try await storage.organizations.create(upper, firstKey: StorageUnderTest.key(50), at: .noon)
            #expect(key != nil)
            #expect(try await storage.organizations.organization(storage.acme)?.name == "Acme")
        },
        Promise("a change changes what it names and nothing else") { storage in
            let before = try #require(try await storage.organizations.organization(storage.acme))
            let changes = [
                OrganizationChange(name: "New"), OrganizationChange(honorsGPC: false),
                OrganizationChange(consentPage: .set(try ConsentPageURL("https://a.example/"))),
                OrganizationChange(name: "Newer"), OrganizationChange(consentPage: .removed),
                OrganizationChange(requiresEvidence: true), OrganizationChange(requiresEvidence: false),
                OrganizationChange(targetHosts: [try TargetHostPattern("a.example")]),
                OrganizationChange(enforcement: .nonRestrictive), OrganizationChange(targetHosts: []),
            ]
            var expected = before
            for change in changes {
                expected = change.applied(to: expected)
                #expect(try await storage.organizations.change(storage.acme, by: change, at: .noon) == expected)
                #expect(try await storage.organizations.organization(storage.acme) == expected)
            }
            #expect(try await storage.organizations.organization(storage.globex)?.name == "Globex")
        },
        Promise("an organization that is not there has nothing and can do nothing") { storage in
            let nobody = try OrganizationID("nobody")
            #expect(try await storage.organizations.organization(nobody) == nil)
            let changed = try await storage.organizations.change(
                nobody, by: OrganizationChange(name: "x"), at: .noon)
            #expect(changed == nil)
            let key = try await storage.organizations.addKey(StorageUnderTest.key(60), to: nobody, at: .noon)
            #expect(key == nil)
            #expect(try await storage.organizations.keys(of: nobody).isEmpty)
        },
        Promise("keys are listed oldest first, and removed by their own organization alone") { storage in
            let store = storage.organizations
            let first = try await store.keys(of: storage.acme)
            let second = try #require(try await store.addKey(StorageUnderTest.key(61), to: storage.acme, at: .noon))
            let third = try #require(try await store.addKey(StorageUnderTest.key(62), to: storage.acme, at: .noon))
            #expect(try await store.keys(of: storage.acme) == first + [second, third])
            #expect(try await store.removeKey(second.id, of: storage.globex) == false)
            #expect(try await store.removeKey(second.id, of: storage.acme))
            #expect(try await store.removeKey(second.id, of: storage.acme) == false)
            #expect(try await store.keys(of: storage.acme) == first + [third])
            #expect(try await store.key(with: StorageUnderTest.key(61).digest) == nil)
            #expect(try await store.key(with: StorageUnderTest.key(62).digest) == third)
        },
        Promise("keys are read page by page, also behind one that was removed, and of their own organization alone") {
            storage in
            let store = storage.organizations
            var made: [APIKey] = []
            for seed in UInt8(61)..<66 {
                made.append(
                    try #require(try await store.addKey(StorageUnderTest.key(seed), to: storage.acme, at: .noon)))
                _ = try await store.addKey(StorageUnderTest.key(seed + 10), to: storage.globex, at: .noon)
            }
            let all = try await store.keys(of: storage.acme)
            for size in [1, 2, 9] {
                var found: [APIKey] = []
                while true {
                    let page = try await store.keys(of: storage.acme, after: found.last?.id, limit: size)
                    #expect(page.count <= size)
                    guard !page.isEmpty else { break }
                    found += page
                }
                #expect(found == all)
            }
            #expect(try await store.removeKey(made[1].id, of: storage.acme))
            #expect(try await store.keys(of: storage.acme, after: made[1].id, limit: 2) == Array(made[2...3]))
            #expect(try await store.keys(of: OrganizationID("nobody"), after: nil, limit: 2).isEmpty)
        },
        Promise("a key makes another one while it exists, and for its own organization alone") { storage in
            let store = storage.organizations
            let maker = try #require(try await store.addKey(StorageUnderTest.key(65), to: storage.acme, at: .noon)).id
            let child = StorageUnderTest.key(66)
            #expect(try await store.addKey(child, to: storage.globex, by: maker, at: .noon) == nil)
            #expect(try await store.addKey(child, to: storage.acme, by: maker, at: .noon) != nil)
            #expect(try await store.removeKey(maker, of: storage.acme))
            #expect(try await store.addKey(StorageUnderTest.key(67), to: storage.acme, by: maker, at: .noon) == nil)
            #expect(try await store.key(with: StorageUnderTest.key(67).digest) == nil)
        },
        Promise("organizations are listed as they were made, page by page, behind one that there is") { storage in
            for name in ["b", "a", "c"] {
                let made = Organization(id: try OrganizationID(name), name: name, enforcement: .restrictive)
                let seed = UInt8(name.utf8.first ?? 0)
                _ = try await storage.organizations.create(made, firstKey: StorageUnderTest.key(seed), at: .noon)
            }
            var (found, after, pages) = ([Organization](), OrganizationID?.none, 0)
            repeat {
                let page = try #require(try await storage.organizations.organizations(after: after, limit: 2))
                #expect(page.next == nil || page.next == page.organizations.last?.id)
                found += page.organizations
                after = page.next
                pages += 1
            } while after != nil
            #expect(found == (try await storage.organizations.all()))
            #expect(found.map(\.id.description) == ["acme", "globex", "b", "a", "c"] && pages == 3)
            let nobody = try OrganizationID("nobody")
            #expect(try await storage.organizations.organizations(after: nobody, limit: 2) == nil)
        },
        Promise("every set of scopes is kept") { storage in
            for bits in 0..<64 {
                let scopes = Set(Scope.allCases.enumerated().filter { bits & (1 << $0.offset) != 0 }.map(\.element))
                let new = NewAPIKey(
                    digest: APIKeyDigest(bytes: [UInt8(bits)] + [UInt8](repeating: 1, count: 31)), name: "",
                    scopes: scopes)
                _ = try await storage.organizations.addKey(new, to: storage.acme, at: .noon)
                #expect(try await storage.organizations.key(with: new.digest)?.scopes == scopes)
            }
        },
    ]

    package static let keyUses: [Promise] = [
        Promise("the last use of a key is kept, and only grows") { storage in
            let store = storage.organizations
            let used = try #require(try await store.addKey(StorageUnderTest.key(63), to: storage.acme, at: .noon))
            let unused = try #require(try await store.addKey(StorageUnderTest.key(64), to: storage.globex, at: .noon))
            #expect(used.lastUsedAt == nil && used.createdAt >= .noon)
            try await store.noteUses([:])
            for (noted, recorded) in [(5, 5), (9, 9), (7, 9)] as [(Int64, Int64)] {
                try await store.noteUses([used.id: Timestamp.noon + noted])
                let found = try await store.key(with: StorageUnderTest.key(63).digest)
                #expect(found?.lastUsedAt == Timestamp.noon + recorded)
                #expect(try await store.keys(of: storage.acme).last == found)
            }
            #expect(try await store.key(with: StorageUnderTest.key(64).digest)?.lastUsedAt == nil)
            // The first of these was noted by a clock that was ahead.
            for minutes in [9000, 1] as [Int64] {
                try await store.noteUses([used.id: Timestamp.noon + minutes * 60_000])
                let found = try await store.key(with: StorageUnderTest.key(63).digest)
                #expect(found?.lastUsedAt == Timestamp.noon + minutes * 60_000)
            }
            #expect(try await store.removeKey(used.id, of: storage.acme))
            try await store.noteUses([used.id: Timestamp.noon + 20, unused.id: Timestamp.noon + 21])
            #expect(try await store.keys(of: storage.globex).last?.lastUsedAt == Timestamp.noon + 21)
        }
    ]
}
