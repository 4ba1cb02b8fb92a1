import Identifiers
import Messages

extension MessageBody {
    /// The body for recipients who are tracked for `activities`.
    ///
    /// - Parameter index: returns the index of a link for its tracking IDs; `nil` for one that stays unchanged.
    func tracked(
        origin: PublicOrigin, _ pages: PreferencesPages, _ activities: TrackedActivities, of message: Message,
        index: (BodyLink) -> LinkIndex?
    ) -> Template {
        var template = Template(capacity: length)
        writeTracked(origin: origin, pages, activities, of: message, to: &template, index: index)
        return template
    }

    /// Writes what ``tracked(origin:_:_:of:index:)`` returns.
    func writeTracked(
        origin: PublicOrigin, _ pages: PreferencesPages, _ activities: TrackedActivities, of message: Message,
        to output: inout some BodyOutput, index: (BodyLink) -> LinkIndex?
    ) {
        let hasPixel = message.openTracking && activities.contains(.opens)
        writeTracked(origin: origin, pages, hasPixel: hasPixel, to: &output) { link in
            activities.contains(.clicks) ? index(link) : nil
        }
    }
}
