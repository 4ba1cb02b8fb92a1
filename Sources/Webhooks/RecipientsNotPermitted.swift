/// A caller that may not read recipients asks for them to be sent to an endpoint.
package struct RecipientsNotPermitted: Error { package init() {} }
