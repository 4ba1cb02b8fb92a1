/// The items of a list, which is read page by page while they are iterated over.
///
/// ```swift
/// for try await message in acme.messages() { print(message.name) }
/// ```
public struct ListedItems<Item: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Item

    /// Reads the page after a cursor; `nil` is the first page.
    let page: @Sendable (_ after: String?) async throws -> ItemPage<Item>

    public func makeAsyncIterator() -> Iterator { Iterator(page: page) }

    public struct Iterator: AsyncIteratorProtocol {
        let page: @Sendable (_ after: String?) async throws -> ItemPage<Item>
        private var items: ArraySlice<Item> = []
        private var position = PagePosition()

        init(page: @escaping @Sendable (_ after: String?) async throws -> ItemPage<Item>) { self.page = page }

        /// - Throws: ``ConsentLinkError``. The iterator may be asked again, and continues with the page that failed.
        public mutating func next() async throws -> Item? {
            while items.isEmpty {
                guard !position.isAtEnd else { return nil }
                let page = try await page(position.after)
                try position.advance(to: page.next, isLast: page.next == nil)
                items = page.items[...]
            }
            return items.popFirst()
        }
    }
}

/// Items, and the cursor of the next page.
struct ItemPage<Item: Sendable>: Sendable {
    let items: [Item]
    /// `nil` on the last page.
    let next: String?
}

enum PageSize {
    /// The most items per page that the service allows.
    static let maximumCount = 1000
}
