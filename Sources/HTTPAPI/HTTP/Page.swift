/// One page of a list. One item more than it shows is read, to know whether there is a next page.
struct Page<Item> {
    let items: ArraySlice<Item>
    let hasNext: Bool

    init(_ items: [Item], limit: PageLimit) {
        self.items = items.prefix(limit.count)
        hasNext = items.count > limit.count
    }

    /// The cursor of the next page, made of the last item of this one; `nil` if there is no next page.
    func next(_ cursor: (Item) -> String) -> String? { hasNext ? items.last.map(cursor) : nil }
}

extension Page: Sendable where Item: Sendable {}
