import Hummingbird
import Identifiers
import Logging
import Messages
import Redirect

/// The common page of an organization, for all recipients whom it does not track: `/preferences/{organization}`.
///
/// Its address has no tracking ID, so it may be in untracked payloads and does not distinguish recipients.
struct PreferencesRoutes {
    let senders: SenderDirectory

    func add(to router: Router<BasicRequestContext>) {
        let path = PublicPath.preferences.template("organization")
        router.get(path) { request, context in await answer(request, context) }
        router.head(path) { request, context in await answer(request, context) }
        router.refuseOtherMethods(than: [.get, .head], on: path.description)
    }

    private func answer(_ request: Request, _ context: BasicRequestContext) async -> Response {
        // As for the other pages, text that a mail program took for a part of the address is ignored.
        let name = context.parameters.get("organization").map { PublicPath.asciiPrefix(of: $0[...]) }
        guard let id = name.flatMap({ try? OrganizationID(String($0)) }) else {
            return RefusalResponse(.pageNotFound).response(to: request)
        }
        do {
            switch try await senders.find(id) {
            case .sender(let sender):
                return PreferencesPage(sender: sender.name, consentPage: sender.consentPage)
                    .page(in: request.pageLanguage).response()
            case .unknown: return RefusalResponse(.pageNotFound).response(to: request)
            case .busy: return RefusalResponse(.pageUnavailable).response(to: request)
            }
        } catch {
            context.logger.report(error, answeredWith: Problem(describing: error))
            return RefusalResponse(.pageUnavailable).response(to: request)
        }
    }
}
