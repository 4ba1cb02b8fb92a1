package import Interactions

/// What a browser or a program says about why it asks, in header fields. The one place that reads them: for links, for
/// the picture in a mail, and for what devices report.
package struct RequestSignals: Equatable, Sendable {
    /// Fetched ahead of a look or a tap that may never come.
    package var isPrefetch = false
    /// Global Privacy Control: the person objects to being tracked.
    package var objects = false
    package var visitor = VisitorClass.ofNobody

    package init(isPrefetch: Bool = false, objects: Bool = false, visitor: VisitorClass = .ofNobody) {
        self.isPrefetch = isPrefetch
        self.objects = objects
        self.visitor = visitor
    }

    /// Reads whole header fields; blanks around a value are none of it (RFC 9112, 5.1).
    package init(fields: some Sequence<(name: String, value: String)>) {
        self.init()
        for (name, value) in fields {
            let value = value.utf8Span.span
            read(name.utf8Span.span, value.extracting(value.withoutBlanks))
        }
    }

    /// Takes in one field of the header, its value without blanks around it; the length of a name rules nearly all of
    /// them out.
    mutating func read(_ name: Span<UInt8>, _ value: Span<UInt8>) {
        switch name.count {
        case 5 where name.isSame(as: "x-moz"), 7 where name.isSame(as: "purpose"),
            11 where name.isSame(as: "sec-purpose"):
            if value.contains("prefetch") { isPrefetch = true }
        case 7 where name.isSame(as: "sec-gpc"):
            if value.isSame(as: "1") { objects = true }
        case 9 where name.isSame(as: "x-purpose"):
            if value.contains("preview") { isPrefetch = true }
        case 10 where name.isSame(as: "user-agent"):
            visitor = VisitorClass(userAgent: value)
        default: break
        }
    }
}
