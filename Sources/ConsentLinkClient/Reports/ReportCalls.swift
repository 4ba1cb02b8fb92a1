import NIOHTTP1

extension OrganizationAPI {
    /// The decisions about a message, and its interactions. It names no recipient. Scope: read or report.
    ///
    /// ```swift
    /// let report = try await acme.report(of: "3440a67a38c8cf5c")
    /// if let rate = report.rates.clickers.estimate { print(rate.value, rate.low...rate.high, rate.n) }
    /// ```
    public func report(of message: String) async throws -> MessageReport {
        try await transport.get("\(try messagePath(message))/report", patience: Patience.long)
    }

    /// The same as a table (CSV): a row for each number. Scope: read or report.
    ///
    /// ```swift
    /// let table = try await acme.reportTable(of: "3440a67a38c8cf5c")
    /// ```
    public func reportTable(of message: String) async throws -> String {
        try await transport.table("\(try messagePath(message))/report")
    }

    /// The results of the messages that were made in a period. It names no recipient. Scope: read or report.
    ///
    /// ```swift
    /// let november = try await acme.report(ReportQuery(from: start, to: end, tag: "shop"))
    /// for day in november.days { print(day.day, day.clicks) }
    /// ```
    public func report(_ query: ReportQuery = ReportQuery()) async throws -> CampaignReport {
        try await transport.get("\(path)/report", try query.string, patience: Patience.long)
    }

    /// The same as a table (CSV): a row for each number. Scope: read or report.
    ///
    /// ```swift
    /// let table = try await acme.reportTable(ReportQuery(tag: "shop"))
    /// ```
    public func reportTable(_ query: ReportQuery = ReportQuery()) async throws -> String {
        try await transport.table("\(path)/report", try query.string)
    }

    /// The consents of recipients, day by day: how many gave consent, refused, withdrew, and the status of all. It
    /// names no recipient. Scope: read or report.
    ///
    /// ```swift
    /// let report = try await acme.consentReport(ConsentReportQuery(purpose: "newsletter"))
    /// print(report.days.last?.stock.given ?? 0, report.ending.within30Days)
    /// ```
    public func consentReport(_ query: ConsentReportQuery = ConsentReportQuery()) async throws -> ConsentReport {
        try await transport.get("\(path)/consent-report", try query.string, patience: Patience.long)
    }

    /// The same as a table (CSV): a row for each number. Scope: read or report.
    ///
    /// ```swift
    /// let table = try await acme.consentReportTable(ConsentReportQuery(purpose: "newsletter"))
    /// ```
    public func consentReportTable(_ query: ConsentReportQuery = ConsentReportQuery()) async throws -> String {
        try await transport.table("\(path)/consent-report", try query.string)
    }
}

extension Transport {
    fileprivate func table(_ path: String, _ query: QueryString = QueryString()) async throws -> String {
        let request = APIRequest(
            .GET, path + query.text, accept: APIRequest.table, repetition: .always, patience: Patience.long)
        return String(decoding: try await answer(to: request).bytes, as: UTF8.self)
    }
}
