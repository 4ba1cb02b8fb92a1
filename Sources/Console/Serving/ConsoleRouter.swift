import Cryptography
import HTTPAPI
import HTTPTypes
import Hummingbird
import Identifiers
import Logging
import NIOCore
import Organizations
import StoragePorts
import UseCases

/// Admits requests to routes, and turns their answers and errors into pages.
struct ConsoleRouter: Sendable {
    let tools: ConsoleTools
    let organizations: any OrganizationDirectory
    let origin: ConsoleOrigin
    /// The threads for heavy pages.
    let pool: WorkPool
    let now: @Sendable () -> Timestamp
    let frame = ConsoleFrame()

    func router(_ routes: [ConsoleRoute]) -> Router<ConsoleContext> {
        let router = Router(context: ConsoleContext.self)
        router.add(middleware: HeadMiddleware())
        router.add(middleware: TargetLimitMiddleware(router: self))
        router.add(middleware: UnknownPageMiddleware(router: self))
        for asset in Asset.all { router.get(RouterPath(asset.path)) { _, _ in asset.response } }
        for (path, ofPath) in Dictionary(grouping: routes, by: \.path) {
            let hasPage = ofPath.contains { $0.method == .get }
            let allowed = ofPath.map(\.method.rawValue).sorted() + (hasPage ? ["HEAD"] : [])
            for route in ofPath {
                for method in route.method == .get ? [.get, .head] : [route.method] as [HTTPRequest.Method] {
                    router.on(RouterPath(path), method: method) { request, context in
                        await answer(request, context, route, hasPage: hasPage)
                    }
                }
            }
            for method in HTTPRequest.Method.routed where !allowed.contains(method.rawValue) {
                router.on(RouterPath(path), method: method) { request, context in
                    await refuse(ConsoleRefusal.methodNotAllowed(allowed), request, context)
                }
            }
        }
        return router
    }

    /// - Parameter hasPage: whether a page has the address of the route.
    private func answer(
        _ request: Request, _ context: ConsoleContext, _ route: ConsoleRoute, hasPage: Bool
    ) async -> Response {
        var browser = ConsoleBrowser(request, now: now())
        var taken: String?
        do {
            guard let origin = origin.origin(of: request.head.authority) else { throw ConsoleRefusal.foreignHost }
            if route.method != .get, !CrossSiteVerdict.isOwn(request.headers, origin: origin) {
                throw ConsoleRefusal.crossSite
            }
            let path = Self.path(of: request)
            // A form is read only for an account that may use the page.
            var organization = try await admit(&browser, request, to: route, context)
            var form = ConsoleForm([:])
            if route.method != .get {
                form = try await ConsoleForm.read(request, route.authorization)
                // The session may have ended, or the key been deleted, while the form was on its way.
                organization = try await admit(&browser, request, to: route, context)
                try check(form, path, browser, route)
                taken = form.token
            }
            let call = call(request, context, browser, path, origin: origin, organization, form)
            if let refusal = call.said(Self.refusedMember)?.first.flatMap({ ConsoleRefusal.ofForms[$0] }) {
                throw refusal
            }
            if route.gravity == .grave, let session = browser.session, !session.isConfirmed(at: browser.now) {
                let confirm = ConfirmPage(call: call)
                return browser.finish(
                    route.isDiscreet
                        ? try response(.redirect(to: confirm.address), to: call) : try confirm.response(frame))
            }
            return browser.finish(try await response(to: call, route))
        } catch is SignInNeeded {
            let isSignedOut = browser.token != nil
            if route.isFile || browser.members.single("as") != nil {
                let page = refusal(ConsoleRefusal.signedOut, request, context, browser, back: nil)
                return browser.finish(page, isSignedOut: isSignedOut)
            }
            return browser.finish(.redirect(to: signIn(request), type: .normal), isSignedOut: isSignedOut)
        } catch {
            if let taken, Self.isWithoutEffect(error) { tools.forms.giveBack(taken) }
            if route.isDiscreet, let page = page(of: error, request, context, browser) {
                return browser.finish(.redirect(to: page, type: .normal))
            }
            let back = hasPage && Self.leadsBack(error) ? Self.path(of: request) : nil
            return browser.finish(refusal(error, request, context, browser, back: back))
        }
    }

    private struct SignInNeeded: Error {}

    /// Finds the browser's session.
    /// - Returns: the organization of the path, if it has one.
    /// - Throws: `SignInNeeded` if the page needs a session and there is none; ``ConsoleRefusal`` if the account may not
    ///   use the page.
    private func admit(
        _ browser: inout ConsoleBrowser, _ request: Request, to route: ConsoleRoute, _ context: ConsoleContext
    ) async throws -> Organization? {
        browser.session = try await session(of: browser, route, isUse: browser.isUse)
        guard route.authorization.isOpenToAnyone || browser.session != nil else { throw SignInNeeded() }
        return try await admitted(browser.session, to: route, context)
    }

    /// The name of a refusal in the address of the page that shows it, with a proof.
    private static let refusedMember = "refused"

    /// The address of the page that shows a refusal, for a discreet form; `nil` if no form of the console can get that
    /// refusal.
    private func page(
        of error: any Error, _ request: Request, _ context: ConsoleContext, _ browser: ConsoleBrowser
    ) -> String? {
        let refusal = error is any StoreFailure ? .unavailable : error as? ConsoleRefusal
        guard let name = ConsoleRefusal.ofForms.first(where: { $0.value == refusal })?.key else { return nil }
        let path = Self.path(of: request)
        let call = call(request, context, browser, path, origin: "", nil, ConsoleForm([:]))
        return try? call.address(of: path, saying: [(Self.refusedMember, name)])
    }

    /// Whether the form that met `error` was certainly not carried out, and can be sent again as it is.
    private static func isWithoutEffect(_ error: any Error) -> Bool {
        if let failure = error as? any StoreFailure { return failure.isWithoutEffect }
        return (error as? ConsoleRefusal)?.isBeforeAct ?? false
    }

    private static func leadsBack(_ error: any Error) -> Bool {
        error is any StoreFailure || (error as? ConsoleRefusal)?.leadsBack ?? false
    }

    /// A route that is open to any browser needs no session. So people can sign in while the store of sessions is
    /// unavailable.
    private func session(
        of browser: ConsoleBrowser, _ route: ConsoleRoute, isUse: Bool
    ) async throws -> ConsoleSession? {
        guard let token = browser.token else { return nil }
        let isNeeded = !route.authorization.isOpenToAnyone
        do {
            return try await tools.sessions.session(token, isUse: isUse, isNeeded: isNeeded, at: browser.now)
        } catch let failure as any StoreFailure {
            guard !isNeeded else { throw failure }
            return nil
        }
    }

    /// The path with one slash at its beginning. A link to `//host` would lead to another host.
    private static func path(of request: Request) -> String {
        "/" + String(request.uri.path.unicodeScalars.drop { $0 == "/" || $0 == "\\" })
    }

    private func call(
        _ request: Request, _ context: ConsoleContext, _ browser: ConsoleBrowser, _ path: String, origin: String,
        _ organization: Organization?, _ form: ConsoleForm
    ) -> ConsoleCall {
        ConsoleCall(
            request: request, context: context, cookies: browser.cookies, cookieNames: browser.cookieNames,
            members: browser.members, path: path, language: browser.language, origin: origin, now: browser.now,
            holder: browser.holder, session: browser.session, organization: organization, form: form, tools: tools)
    }

    /// The organization of the path, if the account may use it. Other organizations do not exist for the account.
    private func admitted(
        _ session: ConsoleSession?, to route: ConsoleRoute, _ context: ConsoleContext
    ) async throws -> Organization? {
        let account = session?.account
        switch route.authorization {
        case .anyone, .signedIn: return nil
        case .operatorAlone:
            guard account?.isOperator == true else { throw ConsoleRefusal.notAllowed }
            return nil
        case .roles(let roles):
            guard let account, let id = context.parameters.get("org").flatMap({ try? OrganizationID($0) }) else {
                throw ConsoleRefusal.notFound
            }
            guard account.isOperator || account.organizations.contains(id) else { throw ConsoleRefusal.notFound }
            guard account.has(roles, in: id) else { throw ConsoleRefusal.notAllowed }
            guard let organization = try await organizations.organization(id) else { throw ConsoleRefusal.notFound }
            return organization
        }
    }

    private func check(
        _ form: ConsoleForm, _ path: String, _ browser: ConsoleBrowser, _ route: ConsoleRoute
    ) throws {
        switch tools.forms.take(form.token, for: path, holder: browser.holder, at: browser.now) {
        case .fresh: break
        case .missing, .wrong: throw ConsoleRefusal.foreignForm
        case .expired: throw ConsoleRefusal.expiredForm
        case .sentBefore: throw ConsoleRefusal.sentBefore(route.firstSending)
        }
    }

    /// - Throws: ``ConsoleRefusal/busy``, and what the route throws.
    private func response(to call: ConsoleCall, _ route: ConsoleRoute) async throws -> Response {
        guard route.work == .heavy else { return try response(try await route.handle(call), to: call) }
        guard let permit = try? pool.admit(call.organization?.id) else { throw ConsoleRefusal.busy }
        return try await permit.response { try response(try await route.handle(call), to: call) }
    }

    private func response(_ answer: ConsoleResponse, to call: ConsoleCall) throws -> Response {
        switch answer {
        case .page(let page): return try frame.response(page, to: call)
        case .redirect(let path):
            var response = Response.redirect(to: path, type: .normal)
            response.headers[.cacheControl] = "no-store"
            return response
        case .file(let name, let mediaType, let bytes):
            var headers = ConsoleFrame.headers(mediaType: mediaType)
            headers[.contentDisposition] = "attachment; filename=\"\(name)\""
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
        case .stream(let name, let mediaType, let write):
            var headers = ConsoleFrame.headers(mediaType: mediaType)
            headers[.contentDisposition] = "attachment; filename=\"\(name)\""
            let body = ResponseBody { writer in
                try await write(&writer)
                try await writer.finish(nil)
            }
            return Response(status: .ok, headers: headers, body: body)
        case .with(let fields, let inner):
            var response = try response(inner, to: call)
            for (name, value) in fields { response.headers.append(HTTPField(name: name, value: value)) }
            return response
        }
    }

    /// The sign-in page, which leads back to this page if a GET may show it.
    private func signIn(_ request: Request) -> String {
        let path = Self.path(of: request)
        guard request.method == .get, path != "/" else { return "/sign-in" }
        return ConsoleCall.address("/sign-in", [("next", path)])
    }

    func refuse(_ error: any Error, _ request: Request, _ context: ConsoleContext) async -> Response {
        var browser = ConsoleBrowser(request, now: now())
        if let token = browser.token {
            browser.session = try? await tools.sessions.session(
                token, isUse: browser.isUse, isNeeded: false, at: browser.now)
        }
        return browser.finish(refusal(error, request, context, browser, back: nil))
    }

    /// - Parameter back: the path of the page to go on with.
    private func refusal(
        _ error: any Error, _ request: Request, _ context: ConsoleContext, _ browser: ConsoleBrowser, back: String?
    ) -> Response {
        let page = RefusalPage(error: error, back: back, language: browser.language, logger: context.logger)
        let call = call(request, context, browser, Self.path(of: request), origin: "", nil, ConsoleForm([:]))
        guard var response = try? frame.response(page.page, to: call) else {
            return frame.response(html: "", status: page.page.status)
        }
        if case ConsoleRefusal.methodNotAllowed(let allowed) = error {
            response.headers[.allow] = allowed.joined(separator: ", ")
        }
        if case ConsoleRefusal.mustWait(let seconds) = error { response.headers[.retryAfter] = String(seconds) }
        if case ConsoleRefusal.busy = error { response.headers[.retryAfter] = "2" }
        return response
    }
}
