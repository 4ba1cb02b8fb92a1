import Cryptography
import HTTPTypes
import Hummingbird
import Identifiers
import Logging
import OpenIDConnect
import Organizations

/// Signing in through an OpenID provider, and proving again there who the user is.
///
/// The browser stores the state of a sign-in that was begun, sealed; the answer to it removes the state. Any other
/// request leaves the state there, because any page can send a browser here.
struct ProviderRoutes {
    /// The path to which the provider sends browsers, on the console's origin.
    static let answerPath = "/sign-in/provider/answer"
    private static let beginPath = "/sign-in/provider"
    /// Marks a browser that was led to the host of the redirect URI.
    private static let ledMember = "led"
    private static let use = "provider"
    /// In seconds: the documents of a provider that failed are not asked for earlier.
    private static let retryAfter = "5"
    /// How long a sign-in may take.
    private static let lifetime = Duration.seconds(PendingSignIn.lifetime)

    let party: RelyingParty
    /// The provider's times are compared with it. Service time may be ahead of it for hours, after the clock was wrong.
    private let wallClock: @Sendable () -> Timestamp
    /// The states of answered sign-ins, for as long as the browser could repeat the answer. Another process would
    /// refuse a repeated answer because of its code, which the provider accepts once.
    private let answered = OnceMemory<String>(lifetime: lifetime, capacity: 10_000)

    private let outage = ProviderOutage()
    /// Limits requests for tokens to the provider: requests of one address wait for each other, independent of their
    /// content.
    private let limiter = AddressLimiter(maximumConcurrentCount: 8, maximumWaitingCount: 64)

    init(party: RelyingParty, wallClock: @escaping @Sendable () -> Timestamp) {
        self.party = party
        self.wallClock = wallClock
    }

    var routes: [ConsoleRoute] {
        [.page(Self.beginPath, .anyone, begin), .page(Self.answerPath, .anyone, answer)]
    }

    @Sendable private func begin(_ call: ConsoleCall) async throws -> ConsoleResponse {
        var generator = SecureRandom()
        let isFresh = call.query("fresh") != nil && call.session != nil
        // A link of another site must not replace this session by another one.
        if let session = call.session, !isFresh { return .redirect(to: ConsoleArea.first(for: session.account)) }
        if let address = addressOfReturn(call) { return .redirect(to: address) }
        let request: AuthorizationRequest
        do throws(SignInFailure) {
            request = try await party.begin(
                isFresh ? .newAuthentication : .session, now: UnixTime(wallClock()), using: &generator)
        } catch {
            return refusal(error, call, again: address(next: call.query("next"), isFresh: isFresh))
        }
        let begun = BegunSignIn(pending: request.pending, next: call.query("next").flatMap(FollowingPage.path))
        let end = call.now.advanced(by: Self.lifetime)
        let sealed = try call.tools.sealed.seal(begun.text, for: Self.use, holder: call.holder, until: end)
        return .with([call.cookie(.host(call.cookieNames.provider, sealed))], .redirect(to: request.url))
    }

    @Sendable private func answer(_ call: ConsoleCall) async throws -> ConsoleResponse {
        let ended = [call.cookie(.ended(call.cookieNames.provider))]
        let query = call.request.uri.query ?? ""
        let text = call.cookies[call.cookieNames.provider].flatMap {
            call.tools.sealed.open($0, for: Self.use, holder: call.holder, at: call.now)
        }
        // This is no attempt, but a link that any page can have: it does not slow down real attempts.
        guard let begun = text.flatMap(BegunSignIn.init) else { return .with(ended, refusal(nil, call)) }
        do throws(SignInFailure) { try begun.pending.mustBeAnswered(by: query) } catch {
            return refusal(error, call)
        }
        let address = call.context.address
        guard await limiter.acquire(address) else { throw ConsoleRefusal.busy }
        defer { limiter.release(address) }
        guard answered.isFirst(begun.pending.state, at: call.now) else {
            return .with(ended, refusal(nil, call))
        }
        let subjects = [SignInThrottle.Subject.address(address)]
        let wall = wallClock()
        let signedIn: SignedInAccount
        do throws(SignInFailure) {
            signedIn = try await party.finish(query: query, begun.pending, now: UnixTime(wall))
        } catch {
            let isFresh = begun.pending.freshness == .newAuthentication
            let page = refusal(error, call, again: self.address(next: begun.next, isFresh: isFresh))
            if let subject = error.accountWithoutRole {
                _ = try await endOutdated(ConsoleAccount(subject, roles: []), call)
            }
            if !error.isOutage { try call.recordFailure(subjects) }
            return .with(ended, page)
        }
        outage.end(call.context.logger)
        call.tools.throttle.recordSuccess(subjects)
        return try await complete(begun, signedIn, at: wall, call, ended)
    }

    /// Signs in, or notes that the user proved again who they are.
    /// - Parameters:
    ///   - wall: the wall clock, when the answer was judged.
    ///   - ended: removes the stored state of the sign-in.
    private func complete(
        _ begun: BegunSignIn, _ signedIn: SignedInAccount, at wall: Timestamp, _ call: ConsoleCall,
        _ ended: [(HTTPField.Name, String)]
    ) async throws -> ConsoleResponse {
        let account = ConsoleAccount(signedIn)
        let isChanged = try await endOutdated(account, call)
        guard !account.grants.isEmpty else {
            return .with(ended, refusal(.noRole(signedIn.identity), call))
        }
        // Without a time in the token, it is unknown whether the provider asked the user.
        let provedAt =
            signedIn.authenticatedAt.map { ProofTime.serviceTime(of: $0, wall: wall, now: call.now) } ?? .distantPast
        if begun.pending.freshness == .newAuthentication, let session = call.session {
            if isChanged, session.account.name == account.name {
                let text = SignInTexts.all[call.language].rolesChanged
                return .with(ended, refusal(text, because: "the account has other roles now", call))
            }
            guard session.account == account else { return .with(ended, refusal(nil, call)) }
            try await call.tools.sessions.confirm(session.digest, provedAt: provedAt, at: call.now)
            call.log("console.confirm")
            return .with(ended, .redirect(to: begun.next ?? ConsoleArea.first(for: account)))
        }
        return .with(ended, try await call.begin(account, confirmedAt: provedAt, then: begun.next))
    }

    /// A session has the roles that the last sign-in of its account showed, or it ends.
    private func endOutdated(_ account: ConsoleAccount, _ call: ConsoleCall) async throws -> Bool {
        guard try await call.tools.sessions.endOutdated(account, at: call.now) else { return false }
        call.log("console.sessions-end", by: account)
        return true
    }

    /// The address that begins the sign-in on the host to which the provider sends the browser back: the cookie with
    /// the state is for one host.
    /// - Returns: `nil` on that host, and if the browser was led there already: then a proxy changes the host on the way.
    private func addressOfReturn(_ call: ConsoleCall) -> String? {
        let origin = party.redirectURI.description.dropLast(Self.answerPath.count)
        guard call.query(Self.ledMember) == nil, call.origin.lowercased() != origin else { return nil }
        return origin + address(next: call.query("next"), isFresh: call.query("fresh") != nil, Self.ledMember)
    }

    /// The address that begins a sign-in.
    /// - Parameter mark: the name of one more member.
    private func address(next: String?, isFresh: Bool, _ mark: String? = nil) -> String {
        let next = next.flatMap(FollowingPage.path)
        return ConsoleCall.address(
            Self.beginPath,
            (isFresh ? [("fresh", "1")] : []) + (next.map { [("next", $0)] } ?? []) + (mark.map { [($0, "1")] } ?? []))
    }

    /// - Parameters:
    ///   - failure: `nil` if the answer belongs to no sign-in of this browser.
    ///   - again: the address that begins the sign-in again, for one that an outage prevented.
    private func refusal(_ failure: SignInFailure?, _ call: ConsoleCall, again: String? = nil) -> ConsoleResponse {
        let texts = SignInTexts.all[call.language]
        let reason = failure?.reason ?? "redirect: no sign-in was begun in this browser"
        if failure?.accountWithoutRole != nil { outage.end(call.context.logger) }
        if failure?.isOutage == true {
            outage.begin(reason, call.context.logger)
            let page = self.page(texts.providerAway, .serviceUnavailable, call, again: again)
            return .with([(.retryAfter, Self.retryAfter)], .page(page))
        }
        if case .noRole = failure { return refusal(texts.noRole, because: reason, call) }
        return refusal(texts.providerFailed, because: reason, call)
    }

    private func refusal(_ text: String, because reason: String, _ call: ConsoleCall) -> ConsoleResponse {
        call.context.logger.notice("a sign-in through the provider failed", metadata: ["reason": "\(reason)"])
        return .page(page(text, .forbidden, call, again: nil))
    }

    private func page(
        _ text: String, _ status: HTTPResponse.Status, _ call: ConsoleCall, again: String?
    ) -> ConsolePage {
        let texts = RefusalTexts.all[call.language]
        var members = ["text": text, "home": texts.home]
        if let again { members.merge(["back": again, "again": SignInTexts.all[call.language].tryAgain]) { $1 } }
        var page = ConsolePage(
            area: nil, title: SignInTexts.all[call.language].title, content: Templates.render("refusal", members))
        page.status = status
        return page
    }
}

/// A sign-in that was begun, and the page that follows it.
struct BegunSignIn {
    let pending: PendingSignIn
    let next: String?

    init(pending: PendingSignIn, next: String?) {
        self.pending = pending
        self.next = next
    }

    /// None of the parts has a space.
    var text: String {
        [
            pending.state, pending.nonce, pending.codeVerifier, String(pending.madeAt.seconds),
            pending.freshness.rawValue, next ?? "",
        ].joined(separator: " ")
    }

    init?(text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 6, let seconds = Int64(parts[3]), let freshness = SignInFreshness(rawValue: parts[4])
        else {
            return nil
        }
        pending = PendingSignIn(
            state: parts[0], nonce: parts[1], codeVerifier: parts[2], madeAt: UnixTime(seconds: seconds),
            freshness: freshness)
        next = parts[5].isEmpty ? nil : parts[5]
    }
}

extension ConsoleAccount {
    init(_ account: SignedInAccount) { self.init(account.identity, roles: account.roles) }

    /// Named by the provider's subject, because a name or an address may belong to another account tomorrow.
    init(_ identity: ProviderSubject, roles: Set<MappedRole>) {
        self.init(
            name: "\(identity.subject)@\(identity.issuer)", origin: .provider,
            grants: Set(roles.compactMap { ConsoleGrant($0) }))
    }
}

extension UnixTime {
    fileprivate init(_ time: Timestamp) { self.init(seconds: time.millisecondsSince1970 / 1000) }
}
