/// The token that a node gives with each step of a job: it tells under which lease the step is done.
package struct JobToken: Hashable, Sendable {
    package let job: Job
    /// Greater for each lease of the job than for all earlier ones.
    package let number: UInt64

    package init(job: Job, number: UInt64) {
        self.job = job
        self.number = number
    }
}

/// A step of a job is refused, because its lease was released or another one was taken after it.
package struct JobTokenExpired: Error, Hashable {
    package init() {}
}
