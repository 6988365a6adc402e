/** The publisher of a figure. All of them sell sending, data or agency work, and they count differently. */
export interface Source {
  readonly publisher: string
  /** The year or years of publication, or null. */
  readonly year: string | null
  /** The address of the publication; null if only a quotation or the publisher's name is available. */
  readonly url: string | null
  /** The sample that it was measured on; null if unknown. */
  readonly sample: string | null
  /** The licence of the data, by name and address; null if the publisher names none. */
  readonly license: string | null
  /**
   * `primary` if the figure is from its publisher's own page, `quoted` if another source quotes it, or if nobody can
   * look it up: without an address and a sample.
   */
  readonly seen: "primary" | "quoted"
}

const source = (seen: Source["seen"], publisher: string, details: Partial<Source> = {}): Source => ({
  publisher,
  year: null,
  sample: null,
  url: null,
  license: null,
  seen,
  ...details
})

export const instantly = source("quoted", "Instantly", { year: "2026" })

export const instantlyLimits = source("primary", "Instantly", {
  url: "https://help.instantly.ai",
  sample: 'its advice, "Account and Campaign Limits"'
})

export const leadGrow = source("primary", "LeadGrow", {
  year: "2026",
  url: "https://gtmexperts.org",
  sample: "3,626 campaigns"
})

export const alchemail = source("primary", "Alchemail", {
  year: "2025/26",
  url: "https://alchemail.io/blog/cold-email-revenue-forecast",
  sample: "planning figures"
})

export const cleanlist = source("primary", "Cleanlist", { year: "2026", url: "https://cleanlist.ai" })

const followUps = "https://belkins.io/blog/sales-follow-up-statistics"

export const belkins2026 = source("primary", "Belkins", {
  year: "2026",
  url: followUps,
  sample: "7.5 million emails of 2025"
})

export const belkins2025 = source("primary", "Belkins", {
  year: "2025",
  url: followUps,
  sample: "16.5 million emails of 2024"
})

export const buzzStream = source("primary", "BuzzStream", {
  url: "https://buzzstream.com/blog/spray-and-pray-study",
  sample: "31 million emails, digital PR to journalists"
})

export const prospeo = source("quoted", "Prospeo", { year: "2026" })

export const importantEmails = source("primary", "important-emails.com", {
  url: "https://important-emails.com/learn/conversion-funnel-math",
  sample: "a guide, no data"
})

export const wryko = source("quoted", "Wryko", { year: "2026" })

export const hubSpot = source("quoted", "HubSpot", { year: "2023" })

export const bridgeGroup = source("quoted", "Bridge Group")

export const customers = source("primary", "customers.ac", { url: "https://customers.ac" })

export const puzzleInbox = source("quoted", "Puzzle Inbox", {
  year: "2026",
  url: "https://puzzleinbox.com/blog/how-many-inboxes-do-you-need-cold-email",
  sample: "a guide, no data"
})

/** Its tiers of campaigns. */
export const puzzleInboxTiers = source("quoted", "Puzzle Inbox", {
  year: "2026-07",
  url: "https://puzzleinbox.com/blog/cold-email-reply-rate-benchmarks-2026-by-segment",
  sample: "a guide, no data"
})

/** The cost of an hour and of the tools of a campaign. */
export const rangelead = source("primary", "Rangelead", {
  year: "2026",
  url: "https://rangelead.com/posts/the-math-behind-cold-outreach-roi",
  sample: "a guide, no data"
})

/** Prices of agencies. */
export const growtoro = source("primary", "Growtoro", {
  year: "2026",
  url: "https://growtoro.com/blog/cold-email-agency-pricing-models-retainer-vs-performance",
  sample: "its experience, no data"
})

export const google = source("quoted", "Google", { sample: "its sender guidelines" })

/** The data files of an open observatory: the only figures with counts, a method and a licence. */
const clientium = (sample: string) =>
  source("primary", "Clientium, Osservatorio Cold Email Italia", {
    year: "2026",
    url: "https://clientium.it/osservatorio/",
    sample: `${sample}; data of 2026-07-12`,
    license: "CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/)"
  })

export const clientiumCampaigns = clientium("556 campaigns of at least 500 emails")

export const clientiumTotals = clientium("723 campaigns with 3,685,033 emails and 70,771 replies")

export const clientiumSectors = clientium("8 sectors, which explain 9% of the variance between campaigns")
