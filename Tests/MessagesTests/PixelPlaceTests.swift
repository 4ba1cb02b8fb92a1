import Messages
import Testing

/// The place of the image of openings, written `|`.
@Suite struct PixelPlaceTests {
    private static let pixel = "<img src=\"https://links.example/o/(0).gif\" width=\"1\" height=\"1\" alt=\"\">"

    private func check(_ html: String) throws {
        let mail = try Mail(html.replacing("|", with: ""), .html)
        #expect(try mail.tracked(hasPixel: true) == html.replacing("|", with: Self.pixel))
    }

    @Test(
        "it is before the end tag of the body, or at the end",
        arguments: [
            "|", "<p>x</p>|", "<p>x</p>|</body></html>", "<body><p>x</p>|</body><!-- y", "<p>x</p> <|",
            "<p>x</p><!-- y -->|", "<p>x</p><!-->|", "<p>x</p><!--->|", "<p>x</p><!-- y --!>|", "<p>x</p><!y>|",
            "<!--[if mso]><p>x</p><![endif]-->|", "<title>x</title><p>y</p>|", "<style>x</style>|",
            "<textarea></p></textarea>|", "<body><noscript>x</noscript>|</body>", "<noscript>x</noscript>|",
            "<select><option>x</select>|", "<body><svg><path/></svg>|</body>", "<svg><path></path></svg>|",
            "<template><p>x</p></template>|", "<table><tr><td>x|",
        ])
    func end(_ html: String) throws { try check(html) }

    @Test(
        "it is before a comment, a tag or raw text in which the mail ends",
        arguments: [
            "<p>x</p>|<!-- y", "<p>x</p>|<!-- y --", "<p>x</p>|<!-- y </body></html>", "<p>x</p>|<!--[if mso]><p>y</p>",
            "<p>x</p>|<!--", "<p>x</p>|<!-", "<p>x</p>|<!x", "<p>x</p>|</", "<p>x</p>|<?x",
            "<p>x</p>|<a href=\"y>z</a></body>", "<p>x</p>|<b", "<p>x</p>|<b c", "<p>x</p>|</p", "<p>x|<img alt='y>",
            "<p>x</p>|<title>y</p>", "<head>|<style>y{}", "<p>x</p>|<script>", "<p>x</p>|<textarea>y</body></html>",
            "<p>x</p>|<xmp>y", "<p>x</p>|<iframe>", "<p>x</p>|<noembed>y", "<p>x</p>|<noframes>y",
            "<p>x</p>|<title>y</titl", "<p>x</p>|<plaintext>y</body>", "<p>x</p>|<title>y<!-- z",
        ])
    func unfinished(_ html: String) throws { try check(html) }

    @Test(
        "it is before an element in which it would not be fetched, or which it would end",
        arguments: [
            "<body><p>x</p>|<noscript>y</body>", "<p>x</p>|<noscript>y", "<p>x</p>|<noscript>y<noscript>z",
            "<p>x</p>|<template>y</body>", "<p>x</p>|<template><p>y", "<p>x</p>|<select><option>y</body>",
            "<p>x</p>|<select><textarea>y", "<p>x</p>|<svg><path>", "<p>x</p>|<svg><title>y", "<p>x</p>|<math><mi>y",
            "<p>x</p>|<svg><path/><!-- y", "<p>x</p>|<noscript><!-- y</body>",
        ])
    func enclosed(_ html: String) throws { try check(html) }

    @Test("links before and behind it are rewritten, and placeholders replaced")
    func changes() throws {
        let page = "https://links.example/p/(0)"
        let mail = try Mail(
            "<a href=https://shop.example/a>{{consentlink.preferences}}</a><!--[if mso]>"
                + "<a href='https+notrack://shop.example/b'><a href='https://shop.example/c'><![endif]-->"
                + "<template>{{consentlink.preferences}}", .html)
        #expect(
            try mail.tracked(hasPixel: true)
                == "<a href=https://links.example/r/(1)>\(page)</a><!--[if mso]>"
                + "<a href='https://shop.example/b'><a href='https://links.example/r/(2)'><![endif]-->"
                + "\(Self.pixel)<template>\(page)")
    }
}
