import * as Sources from "./Publications.ts"

/** One value, or the ends of a range. */
export type Value = number | readonly [low: number, high: number]

/** Figures of one measure from one source; those with the same `row` were published together. */
export interface PublishedFigures {
  readonly row: number
  /** The thing that is counted or measured. */
  readonly measure: string
  readonly unit: "%" | "USD" | "emails"
  /** The unit it is counted per; null if the publisher does not say. A request is only compared in its own unit. */
  readonly per: string | null
  /** The values by percentile, tier or circumstance. */
  readonly values: { readonly [tier: string]: Value }
  readonly source: Sources.Source
}

const figuresIn =
  (unit: PublishedFigures["unit"]) =>
  (
    row: number,
    source: Sources.Source,
    measure: string,
    per: string | null,
    values: PublishedFigures["values"]
  ): PublishedFigures => ({ row, measure, unit, per, values, source })

const percentages = figuresIn("%")
const emails = figuresIn("emails")

/** Published figures on cold outreach. */
export const publishedFigures: ReadonlyArray<PublishedFigures> = [
  percentages(1, Sources.instantly, "replies", "contact", { mean: 3.43, "top quartile": 5.5, "top decile": 10.7 }),
  percentages(2, Sources.leadGrow, "replies", "contact", {
    "industry average": [1, 3],
    good: [5, 8],
    exceptional: 10,
    "mean of its campaigns": 6.74
  }),
  percentages(3, Sources.alchemail, "replies", "delivered email", { conservative: 1.5, average: 3, aggressive: 5 }),
  percentages(4, Sources.cleanlist, "replies", null, { "10th percentile": 0.5, mean: 3.1, "90th percentile": [8, 12] }),
  percentages(4, Sources.cleanlist, "positive replies", null, {
    "10th percentile": 0.2,
    mean: 1.4,
    "90th percentile": [4, 6]
  }),
  percentages(4, Sources.cleanlist, "booked meetings", null, {
    "10th percentile": 0.1,
    mean: 0.7,
    "90th percentile": [2, 3]
  }),
  percentages(4, Sources.cleanlist, "bounces", "email", { mean: 5.1 }),
  percentages(5, Sources.belkins2026, "replies", "email", { "first email": 0.59, "sixth email": 0.28 }),
  percentages(5, Sources.belkins2026, "replies to follow-ups", "reply", { share: 58.6 }),
  percentages(6, Sources.belkins2025, "replies", "campaign", { "single email, falling with each follow-up": 8.4 }),
  percentages(7, Sources.buzzStream, "replies", "email", { "1–50 recipients": 1.15, "1,001–5,000 recipients": 0.37 }),
  percentages(8, Sources.prospeo, "positive replies", "reply", { mean: 14.1 }),
  percentages(9, Sources.alchemail, "positive replies", "reply", { conservative: 40, average: 50, aggressive: 60 }),
  percentages(9, Sources.alchemail, "booked meetings", "positive reply", {
    conservative: 35,
    average: 45,
    aggressive: 55
  }),
  percentages(10, Sources.importantEmails, "positive replies", "reply", { typical: [50, 60] }),
  percentages(10, Sources.importantEmails, "booked meetings", "positive reply", {
    low: [30, 40],
    average: [50, 60],
    good: [70, 80]
  }),
  percentages(11, Sources.importantEmails, "clients", "meeting", {
    "deals below 5,000 USD": [20, 30],
    "deals of 5,000–20,000 USD": [15, 25],
    "deals of 20,000–100,000 USD": [10, 20],
    "deals above 100,000 USD": [5, 15]
  }),
  percentages(12, Sources.wryko, "clients", "meeting", { outbound: [10, 20] }),
  percentages(13, Sources.alchemail, "held meetings", "booked meeting", {
    conservative: 70,
    average: 80,
    aggressive: 85
  }),
  percentages(13, Sources.alchemail, "opportunities", "held meeting", {
    conservative: 25,
    average: 33,
    aggressive: 40
  }),
  percentages(13, Sources.alchemail, "clients", "opportunity", { conservative: 15, average: 22, aggressive: 30 }),
  percentages(13, Sources.alchemail, "clients", "booked meeting", {
    conservative: 2.6,
    average: 5.8,
    aggressive: 10.2
  }),
  percentages(14, Sources.hubSpot, "clients", "opportunity", { mean: 29 }),
  percentages(14, Sources.bridgeGroup, "clients", "opportunity", { "median in SaaS": 19 }),
  percentages(15, Sources.instantly, "meetings", "email", { typical: [0.5, 2] }),
  figuresIn("USD")(15, Sources.instantly, "cost", "meeting", { typical: [150, 400] }),
  emails(16, Sources.instantlyLimits, "cold emails", "mailbox and day", { recommended: 30 }),
  emails(16, Sources.customers, "cold emails", "mailbox and day", { recommended: [30, 50] }),
  emails(16, Sources.puzzleInbox, "cold emails", "mailbox and day", { "on Google Workspace": 15 }),
  emails(17, Sources.google, "emails from which Gmail's bulk-sender rules hold", "day", { threshold: 5000 }),
  percentages(17, Sources.google, "spam complaints", null, { limit: 0.3 }),
  percentages(18, Sources.clientiumCampaigns, "replies", "email", {
    "lower quartile": 1.05,
    median: 1.71,
    "upper quartile": 2.59,
    "top decile": 3.79
  }),
  percentages(18, Sources.clientiumCampaigns, "campaigns with fewer replies than 1% of emails", "campaign", {
    share: 24.1
  }),
  percentages(18, Sources.clientiumTotals, "replies", "email", { mean: 1.92 }),
  percentages(18, Sources.clientiumTotals, "bounces", "email", { mean: 3.14 }),
  percentages(19, Sources.clientiumSectors, "replies", "email", {
    "fintech, the lowest": 0.89,
    "marketing and agencies, the highest": 2.16
  }),
  percentages(20, Sources.puzzleInboxTiers, "positive replies", "email", {
    "below average": [0.2, 0.5],
    average: [0.5, 1],
    "top quartile": [1, 1.5],
    "top decile": [1.5, 3]
  })
]
