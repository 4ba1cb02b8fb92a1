import Messages

/// The action of a Bird app when a message or a button is tapped.
enum BirdActionType: String {
    case openApp = "OPEN_APP"
    case url = "URL"
    case deepLink = "DEEP_LINK"

    init(_ link: Message.Link?) {
        switch link {
        case nil: self = .openApp
        case let link?: self = link.isTrackable ? .url : .deepLink
        }
    }
}
