import Hummingbird
import JSON

extension Response {
    /// A list that is answered whole: the array `name`.
    ///
    /// - Parameter write: writes the members of an item's object.
    static func list<Items: Sequence>(
        _ name: String, _ items: Items, _ write: (Items.Element, inout JSONWriter) -> Void
    ) -> Response {
        .json { writer in
            writer.object { $0.objects(name, items, write) }
        }
    }

    /// A page of a list: the array `name`, and the cursor `next` of the page after it, which is `null` on the last one.
    static func page<Items: Sequence>(
        _ name: String, _ items: Items, next: String?, _ write: (Items.Element, inout JSONWriter) -> Void
    ) -> Response {
        .json { writer in
            writer.object { writer in
                writer.objects(name, items, write)
                writer.member("next", next)
            }
        }
    }

    /// A page of a feed, which may get more items later: like a page of a list, and `cursor`, the place after the page.
    static func feed<Items: Sequence>(
        _ name: String, _ items: Items, hasNext: Bool, cursor: String,
        _ write: (Items.Element, inout JSONWriter) -> Void
    ) -> Response {
        .json { writer in
            writer.object { writer in
                writer.objects(name, items, write)
                writer.member("next", hasNext ? cursor : nil)
                writer.member("cursor", cursor)
            }
        }
    }
}

extension JSONWriter {
    /// The member `name`: an array with an object for each item, whose members `write` writes.
    mutating func objects<Items: Sequence>(
        _ name: String, _ items: Items, _ write: (Items.Element, inout JSONWriter) -> Void
    ) {
        key(name)
        array { writer in
            for item in items { writer.object { write(item, &$0) } }
        }
    }
}
