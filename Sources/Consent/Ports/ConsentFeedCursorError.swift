/// The text is not a position of the consent feed.
package struct ConsentFeedCursorError: Error {
    package init() {}
}
