import Testing

@testable import OpenIDConnect

@Suite struct CacheTests {
    @Test("documents are fetched once and used for their lifetime")
    func lifetime() async throws {
        let key = try await TestKey.make()
        var token = TestToken(key)
        let provider = SampleProvider(key, token: try token.text(key.signer))
        let client = RelyingParty(try Sample.settings(), transport: provider)
        for _ in 0..<3 { _ = try await client.finish() }
        #expect(provider.count(.discovery) == 1)
        #expect(provider.count(.keys) == 1)
        #expect(provider.count(.token) == 3)
        for (seconds, discoveries, keys) in [(899, 1, 1), (900, 1, 2), (3600, 2, 3)] as [(Int64, Int, Int)] {
            let now = Sample.now.advanced(by: seconds)
            token.claims["iat"] = "\(now.seconds)"
            token.claims["exp"] = "\(now.seconds + 60)"
            let text = try token.text(key.signer)
            provider.change { $0.token = text }
            let pending = PendingSignIn(
                state: "the-state", nonce: "the-nonce", codeVerifier: "v", madeAt: now, freshness: .session)
            _ = try await client.finish(query: Sample.query, pending, now: now)
            #expect(provider.count(.discovery) == discoveries)
            #expect(provider.count(.keys) == keys)
        }
    }

    @Test("a new key is found at once, a minute after the last fetch at the earliest")
    func rotation() async throws {
        let old = try await TestKey.make()
        let new = try await TestKey.make(kid: "k2")
        let provider = SampleProvider(old, token: try TestToken(old).text(old.signer))
        let client = RelyingParty(try Sample.settings(), transport: provider)
        _ = try await client.finish()
        let text = try TestToken(new).text(new.signer)
        provider.change {
            $0.keys = Sample.keySet([new])
            $0.token = text
        }
        let early = Sample.now.advanced(by: 59)
        await #expect(throws: SignInFailure.token(.keyUnknown)) { try await client.finish(now: early) }
        #expect(provider.count(.keys) == 1)
        #expect(try await client.finish(now: Sample.now.advanced(by: 60)).identity.subject == "ana")
        #expect(provider.count(.keys) == 2)
    }

    @Test(
        "a provider that names no key may change its only one, which is found a minute after the last fetch",
        arguments: [(.es256, .signature), (.es384, .keyUnsuitable)] as [(SigningAlgorithm, TokenFault)])
    func namelessRotation(_ algorithm: SigningAlgorithm, _ fault: TokenFault) async throws {
        let old = try await TestKey.make(kid: nil)
        let new = try await TestKey.make(algorithm, kid: nil)
        let provider = SampleProvider(old, token: try TestToken(old).text(old.signer))
        let client = RelyingParty(try Sample.settings(), transport: provider)
        _ = try await client.finish()
        let text = try TestToken(new).text(new.signer)
        provider.change {
            $0.keys = Sample.keySet([new])
            $0.token = text
        }
        await #expect(throws: SignInFailure.token(fault)) { try await client.finish(now: Sample.now.advanced(by: 59)) }
        #expect(provider.count(.keys) == 1)
        let later = Sample.now.advanced(by: 60)
        #expect(try await client.finish(now: later).identity.subject == "ana")
        #expect(provider.count(.keys) == 2)
        // Tokens by a key that the provider does not have are no flood.
        let foreign = try await TestKey.make(algorithm, kid: nil)
        let forged = try TestToken(foreign).text(foreign.signer)
        provider.change { $0.token = forged }
        for _ in 0..<10 {
            await #expect(throws: SignInFailure.token(.signature)) { try await client.finish(now: later) }
        }
        #expect(provider.count(.keys) == 2)
    }

    @Test("made-up names of keys are no flood: one fetch a minute, however many come, also at once")
    func flood() async throws {
        let key = try await TestKey.make()
        let provider = SampleProvider(key, token: "")
        let client = RelyingParty(try Sample.settings(), transport: provider)
        for minute in 0..<3 {
            for number in 0..<50 {
                var token = TestToken(key)
                token.header["kid"] = "\"made-up-\(minute)-\(number)\""
                let text = try token.text(key.signer)
                provider.change { $0.token = text }
                let now = Sample.now.advanced(by: Int64(minute * 60))
                await #expect(throws: SignInFailure.token(.keyUnknown)) { try await client.finish(now: now) }
            }
            #expect(provider.count(.keys) == minute + 1)
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    await #expect(throws: SignInFailure.token(.keyUnknown)) {
                        try await client.finish(now: Sample.now.advanced(by: 180))
                    }
                }
            }
        }
        #expect(provider.count(.keys) == 4)
    }

    @Test("many sign-ins at once ask once for each document")
    func atOnce() async throws {
        let key = try await TestKey.make()
        let provider = SampleProvider(key, token: try TestToken(key).text(key.signer))
        let client = RelyingParty(try Sample.settings(), transport: provider)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { await #expect(throws: Never.self) { try await client.finish() } } }
        }
        #expect(provider.count(.discovery) == 1)
        #expect(provider.count(.keys) == 1)
    }

    @Test("a provider that is away is asked again after 5 seconds, and keys that are kept stay in use")
    func away() async throws {
        let key = try await TestKey.make()
        let text = try TestToken(key).text(key.signer)
        let provider = SampleProvider(key, token: text)
        provider.change { $0.failures[.discovery] = .unreachable }
        let client = RelyingParty(try Sample.settings(), transport: provider)
        let failure = SignInFailure.document(.discovery, .unreachable)
        for _ in 0..<10 { await #expect(throws: failure) { try await client.finish() } }
        #expect(provider.count(.discovery) == 1)
        provider.change { $0.failures = [:] }
        await #expect(throws: failure) { try await client.finish(now: Sample.now.advanced(by: 4)) }
        _ = try await client.finish(now: Sample.now.advanced(by: 5))
        var unknown = TestToken(key)
        unknown.header["kid"] = #""k2""#
        let unknownText = try unknown.text(key.signer)
        provider.change {
            $0.failures[.keys] = .late
            $0.token = unknownText
        }
        for _ in 0..<3 {
            await #expect(throws: SignInFailure.token(.keyUnknown)) {
                try await client.finish(now: Sample.now.advanced(by: 70))
            }
        }
        #expect(provider.count(.keys) == 2)
        provider.change { $0.token = text }
        _ = try await client.finish(now: Sample.now.advanced(by: 71))
        #expect(provider.count(.keys) == 2)
    }

    @Test("a clock that was set back makes a document old")
    func clockSetBack() {
        let kept = CachePolicy.Kept(document: 1, fetchedAt: Sample.now)
        for (seconds, isUsed) in [(0, true), (899, true), (900, false), (-1, false)] as [(Int64, Bool)] {
            let step = CachePolicy.keys.step(kept, failed: nil, newer: false, now: Sample.now.advanced(by: seconds))
            switch step {
            case .use: #expect(isUsed)
            case .fetch: #expect(!isUsed)
            case .fail: Issue.record("nothing failed")
            }
        }
    }
}
