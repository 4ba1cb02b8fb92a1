import JSON
import Messages

/// How one system lays out a message: the places of its keys, and the limits of its carrier.
protocol PayloadLayout {
    /// The members of a message that have a place in the payload.
    var carried: Set<Message.Member> { get }
    /// The longest payload that the carrier accepts, in bytes; `nil` if there is no carrier.
    var maximumLength: Int? { get }

    /// Refuses what the carrier would refuse, except its length.
    func check(_ message: Message, at pointer: JSONPointer) throws(BodyProblems)

    /// - Throws: if no payload can be made of the message.
    func write(_ message: Message, to payload: inout PayloadWriter) throws(BodyProblems)
}

extension PayloadLayout {
    func compile(
        _ message: Message, _ rendering: PayloadWriter.Rendering, _ pages: PreferencesPages, at pointer: JSONPointer
    ) throws(BodyProblems) -> Template {
        var payload = PayloadWriter(rendering, pages, at: pointer)
        try write(message, to: &payload)
        return payload.finish()
    }
}

extension Message {
    /// The members of a message that a format may have no place for.
    enum Member: String, CaseIterable {
        case title
        case body
        case imageURL = "imageUrl"
        case link
        case actions
        case badge
        case sound
        case category
        case contentAvailable
        case custom
        case html
        case text
        case openTracking

        static let ofNotifications = Set(allCases).subtracting([.html, .text, .openTracking])
    }

    var membersInUse: [Member] {
        Member.allCases.filter { member in
            switch member {
            case .title: title != nil
            case .body: body != nil
            case .imageURL: imageURL != nil
            case .link: link != nil
            case .actions: !actions.isEmpty
            case .badge: badge != nil
            case .sound: sound != nil
            case .category: category != nil
            case .contentAvailable: contentAvailable
            case .custom: !custom.isEmpty
            case .html: html != nil
            case .text: text != nil
            case .openTracking: openTracking
            }
        }
    }
}
