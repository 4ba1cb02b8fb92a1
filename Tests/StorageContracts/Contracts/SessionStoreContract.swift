import Cryptography
import Identifiers
import Organizations
import TestSupport
import Testing

/// What every storage promises of the sessions of the console.
package enum SessionStoreContract {
    private static let minute: Int64 = 60_000

    package static let promises: [Promise] = sessions + links

    private static func session(
        _ number: UInt8, account: String = "operator", at time: Timestamp = .noon
    ) -> ConsoleSession {
        ConsoleSession(digest: digest(number), account: self.account(account), madeAt: time)
    }

    private static func digest(_ number: UInt8) -> SessionDigest {
        SessionDigest(bytes: Array(repeating: number, count: 32))
    }

    private static func account(_ name: String) -> ConsoleAccount {
        let key = APIKeyDigest(bytes: Array(repeating: 7, count: 32))
        guard name != "operator", let acme = try? OrganizationID("acme") else {
            return ConsoleAccount(
                name: name, origin: .operatorKey(key), grants: [ConsoleGrant(.operator, in: nil)])
        }
        return ConsoleAccount(
            name: name, origin: name.contains("@") ? .provider : .key(key),
            grants: [ConsoleGrant(.marketer, in: acme), ConsoleGrant(.auditor, in: acme)])
    }

    private static let sessions: [Promise] = [
        Promise("a session is found as it was added, whatever its account signed in with, also after a restart") {
            storage in
            for (number, name) in [(1, "operator"), (2, "5f3a"), (3, "sub@https://id.example")] as [(UInt8, String)] {
                try await storage.sessions.add(session(number, account: name))
            }
            #expect(try await storage.sessions.session(digest(9)) == nil)
            for isReopened in [false, true] {
                let reader = isReopened ? try storage.reopen() : storage
                for (number, name) in [(1, "operator"), (2, "5f3a"), (3, "sub@https://id.example")] as [(UInt8, String)]
                {
                    let found = try await reader.sessions.session(digest(number))
                    #expect(found == session(number, account: name))
                }
            }
        },
        Promise("a session is found with the seal that it was added with") { storage in
            let seal = SHA256.hash(of: [1])
            for (number, name) in [(1, "operator"), (2, "5f3a"), (3, "sub@https://id.example")] as [(UInt8, String)] {
                let sealed = ConsoleSession(digest: digest(number), account: account(name), madeAt: .noon, seal: seal)
                try await storage.sessions.add(sealed)
                #expect(try await storage.sessions.session(digest(number)) == sealed)
                #expect(try await storage.sessions.sessions(of: name, at: .noon) == [sealed])
            }
        },
        Promise("one that is added again, also at once, stays as it is") { storage in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { try await storage.sessions.add(session(1)) } }
                try await group.waitForAll()
            }
            #expect(try await storage.sessions.sessions(of: "operator", at: .noon).count == 1)
            try await storage.sessions.update(
                digest(1), usedAt: .noon + minute / 2, confirmedAt: .noon + minute / 2)
            try await storage.sessions.add(session(1))
            let found = try await storage.sessions.session(digest(1))
            #expect(found?.usedAt == .noon + minute / 2 && found?.confirmedAt == .noon + minute / 2)
        },
        Promise("its times only grow, and it is confirmed only where that is said") { storage in
            try await storage.sessions.add(session(1))
            try await storage.sessions.update(digest(1), usedAt: .noon + 5 * minute, confirmedAt: nil)
            try await storage.sessions.update(
                digest(1), usedAt: .noon + 2 * minute, confirmedAt: .noon + 2 * minute)
            let found = try await storage.sessions.session(digest(1))
            #expect(found?.usedAt == .noon + 5 * minute)
            #expect(found?.confirmedAt == .noon + 2 * minute)
            try await storage.sessions.update(digest(1), usedAt: .noon + 9 * minute, confirmedAt: .noon + minute)
            let later = try await storage.sessions.session(digest(1))
            #expect(later?.usedAt == .noon + 9 * minute)
            #expect(later?.confirmedAt == .noon + 2 * minute)
            try await storage.sessions.update(digest(2), usedAt: .noon, confirmedAt: .noon)
            #expect(try await storage.sessions.session(digest(2)) == nil)
        },
        Promise("one is ended alone, and all of an account at once, those of others not") { storage in
            for number in 1...3 as ClosedRange<UInt8> { try await storage.sessions.add(session(number)) }
            try await storage.sessions.add(session(4, account: "5f3a"))
            #expect(try await storage.sessions.end(digest(2)))
            #expect(try await storage.sessions.end(digest(2)) == false)
            let left = try await storage.sessions.sessions(of: "operator", at: .noon)
            #expect(Set(left.map(\.digest)) == [digest(1), digest(3)])
            try await storage.sessions.endAll(of: "operator")
            #expect(try await storage.sessions.sessions(of: "operator", at: .noon).isEmpty)
            #expect(try await storage.sessions.sessions(of: "5f3a", at: .noon).count == 1)
        },
        Promise("those that have ended are not told, newest are told first, and adding one forgets the ended") {
            storage in
            try await storage.sessions.add(session(1))
            try await storage.sessions.add(session(2, at: .noon + 10 * minute))
            let listed = try await storage.sessions.sessions(of: "operator", at: .noon + 11 * minute)
            #expect(listed.map(\.digest) == [digest(2), digest(1)])
            let later = try await storage.sessions.sessions(of: "operator", at: .noon + 35 * minute)
            #expect(later.map(\.digest) == [digest(2)])
            try await storage.sessions.add(session(3, at: .noon + 35 * minute))
            #expect(try await storage.sessions.session(digest(1)) == nil)
            #expect(try await storage.sessions.session(digest(2)) != nil)
        },
        Promise("of an account that has more than 50, those end that were used longest ago") { storage in
            try await storage.sessions.add(session(100, account: "5f3a"))
            for number in 1...50 as ClosedRange<UInt8> {
                try await storage.sessions.add(session(number, at: .noon + Int64(number)))
            }
            try await storage.sessions.update(digest(1), usedAt: .noon + minute, confirmedAt: nil)
            #expect(try await storage.sessions.sessions(of: "operator", at: .noon + minute).count == 50)
            // Added by a clock that went back.
            try await storage.sessions.add(session(51))
            try await storage.sessions.add(session(52, at: .noon + minute))
            let left = try await storage.sessions.sessions(of: "operator", at: .noon + minute).map(\.digest)
            #expect(Set(left) == Set(([1] + Array(3...50) + [52]).map(digest)))
            #expect(try await storage.sessions.session(digest(2)) == nil)
            #expect(try await storage.sessions.sessions(of: "5f3a", at: .noon + minute).count == 1)
        },
    ]

    private static let links: [Promise] = [
        Promise("a link is taken once, by one of those who ask at once, and not when it is too old") { storage in
            try await storage.sessions.addLink(digest(1), at: .noon)
            let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        try await storage.sessions.takeLink(digest(1), madeAfter: .noon + -minute, at: .noon)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(taken.filter(\.self).count == 1)
            try await storage.sessions.addLink(digest(2), at: .noon)
            #expect(try await storage.sessions.takeLink(digest(2), madeAfter: .noon, at: .noon) == false)
            #expect(try await storage.sessions.takeLink(digest(2), madeAfter: .noon + -minute, at: .noon) == false)
            #expect(try await storage.sessions.takeLink(digest(3), madeAfter: .noon + -minute, at: .noon) == false)
        },
        Promise("what was made or used by a clock that was ahead has ended, also when that time comes") { storage in
            let ahead = Timestamp.noon + 60 * minute
            for (number, made) in [(1, ahead), (2, .noon + minute)] as [(UInt8, Timestamp)] {
                try await storage.sessions.addLink(digest(number), at: made)
                try await storage.sessions.add(session(number, at: made))
            }
            try await storage.sessions.add(session(3))
            try await storage.sessions.add(session(4))
            try await storage.sessions.update(digest(3), usedAt: ahead, confirmedAt: nil)
            let live = try await storage.sessions.sessions(of: "operator", at: .noon).map(\.digest)
            #expect(Set(live) == [digest(2), digest(4)])
            try await storage.sessions.add(session(5))
            #expect(try await storage.sessions.session(digest(1)) == nil)
            #expect(try await storage.sessions.session(digest(3)) == nil)
            for (number, isTaken) in [(1, false), (2, true)] as [(UInt8, Bool)] {
                let taken = try await storage.sessions.takeLink(
                    digest(number), madeAfter: .noon + -minute, at: .noon)
                #expect(taken == isTaken)
            }
            let later = try await storage.sessions.takeLink(digest(1), madeAfter: ahead + -minute, at: ahead)
            #expect(!later)
        },
    ]
}
