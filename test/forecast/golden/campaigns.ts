import { sample } from "../../support/Samples.ts"

/** The request for a typical real campaign. */
export interface GoldenCampaign {
  readonly name: string
  readonly request: object
}

const campaign = (name: string, request: GoldenCampaign["request"]): GoldenCampaign => ({ name, request })

const { average_deal_value: _, campaign_cost: __, ...ratesOnly } = sample

/** Rates as published, with none to work on. */
const usual = { reply_rate: 3.5, positive_reply_rate: 50, meeting_booking_rate: 45, close_rate: 20 }

const withRates = (reply: number, positive: number, booking: number, close: number) => ({
  reply_rate: reply,
  positive_reply_rate: positive,
  meeting_booking_rate: booking,
  close_rate: close
})

const withMoney = (value: number, cost: number) => ({ average_deal_value: value, campaign_cost: cost })

/** Campaigns whose recommendations are reviewed. */
export const campaigns: ReadonlyArray<GoldenCampaign> = [
  campaign("The specification's sample", sample),
  campaign("The sample's rates with 500 emails", { ...sample, emails_sent: 500 }),
  campaign("50 emails for one large deal", {
    ...sample,
    emails_sent: 50,
    average_deal_value: 50_000,
    campaign_cost: 2
  }),
  campaign("Agency selling retainers", {
    emails_sent: 8000,
    ...withRates(3.2, 45, 40, 20),
    ...withMoney(12_000, 4500)
  }),
  campaign("Agency with low booking", { emails_sent: 6000, ...withRates(4, 40, 12, 18), ...withMoney(9000, 3000) }),
  campaign("SaaS with a small contract, losing money", {
    emails_sent: 4000,
    ...withRates(2, 30, 35, 15),
    ...withMoney(600, 2500)
  }),
  campaign("SaaS with a mid-size contract", {
    emails_sent: 10_000,
    ...withRates(3, 35, 40, 19),
    ...withMoney(7200, 6000)
  }),
  campaign("Enterprise software, few emails, large deals", {
    emails_sent: 800,
    ...withRates(4, 50, 40, 8),
    ...withMoney(90_000, 8000)
  }),
  campaign("Recruiter looking for candidates", {
    emails_sent: 1200,
    ...withRates(9, 55, 60, 12),
    ...withMoney(15_000, 1800)
  }),
  campaign("Recruiter looking for mandates", {
    emails_sent: 3000,
    ...withRates(2.4, 25, 45, 18),
    ...withMoney(18_000, 2400)
  }),
  campaign("Consultant with a first list of 200", {
    emails_sent: 200,
    ...withRates(6, 40, 50, 25),
    ...withMoney(4000, 150)
  }),
  campaign("Ten emails to friends of friends", {
    emails_sent: 10,
    ...withRates(30, 60, 70, 40),
    ...withMoney(3000, 20)
  }),
  campaign("One email", { ...sample, emails_sent: 1 }),
  campaign("PR pitch to journalists, per email", {
    emails_sent: 5000,
    ...withRates(0.4, 60, 50, 30),
    ...withMoney(800, 900)
  }),
  campaign("Four emails to each contact, rate per email", {
    emails_sent: 12_000,
    ...withRates(0.9, 45, 45, 18),
    ...withMoney(5000, 2000),
    emails_per_contact: 4
  }),
  campaign("Reply rate per email, emails per contact not said", {
    emails_sent: 12_000,
    ...withRates(0.9, 45, 45, 18),
    ...withMoney(5000, 2000)
  }),
  campaign("Three emails to each contact, rate per contact by mistake", {
    emails_sent: 9000,
    ...withRates(6, 45, 45, 18),
    ...withMoney(5000, 2000),
    emails_per_contact: 3
  }),
  campaign("Bounces and no-shows known", { ...sample, delivery_rate: 95, show_rate: 80 }),
  campaign("A fifth of the list bounces", {
    emails_sent: 7000,
    ...usual,
    ...withMoney(3000, 1500),
    delivery_rate: 78,
    show_rate: 82
  }),
  campaign("Half of the meetings are not held", {
    emails_sent: 7000,
    ...usual,
    close_rate: 30,
    ...withMoney(3000, 1500),
    delivery_rate: 97,
    show_rate: 48
  }),
  campaign("Close rate per held meeting", {
    emails_sent: 7000,
    ...usual,
    close_rate: 36,
    ...withMoney(3000, 1500),
    show_rate: 80
  }),
  campaign("All four rates as fractions", { ...sample, ...withRates(0.05, 0.3, 0.2, 0.25) }),
  campaign("Only the close rate as a fraction", { ...sample, close_rate: 0.25 }),
  campaign("Three rates as fractions", { ...sample, ...withRates(5, 0.3, 0.2, 0.25) }),
  campaign("Nothing closes", { ...sample, close_rate: 0 }),
  campaign("All rates zero", { ...sample, ...withRates(0, 0, 0, 0) }),
  campaign("All rates zero, with delivery and shows", {
    ...ratesOnly,
    ...withRates(0, 0, 0, 0),
    delivery_rate: 0,
    show_rate: 0,
    emails_per_contact: 3
  }),
  campaign("Four low rates", { emails_sent: 5000, ...withRates(0.8, 8, 12, 3), ...withMoney(2500, 600) }),
  campaign("Two low rates, losing money", {
    emails_sent: 20_000,
    ...withRates(1, 10, 40, 15),
    ...withMoney(1200, 3000)
  }),
  campaign("Loses money, one change away", { ...sample, emails_sent: 1000, reply_rate: 1, ...withMoney(900, 400) }),
  campaign("Loses money at usual rates", { emails_sent: 10_000, ...usual, ...withMoney(100, 5000) }),
  campaign("Loses money beyond repair", { emails_sent: 10_000, ...usual, ...withMoney(10, 1_000_000) }),
  campaign("Deal value 0", { ...sample, average_deal_value: 0 }),
  campaign("No money given", { emails_sent: 2000, ...withRates(3.4, 25, 40, 20) }),
  campaign("No cost", { ...ratesOnly, average_deal_value: 2500 }),
  campaign("No deal value", { ...ratesOnly, campaign_cost: 600 }),
  campaign("A campaign that costs 0", { ...sample, campaign_cost: 0 }),
  campaign("Excellent rates, room to grow", {
    emails_sent: 3000,
    ...withRates(7, 55, 60, 25),
    ...withMoney(6000, 900)
  }),
  campaign("Everything too good", { emails_sent: 5000, ...withRates(25, 80, 90, 60), ...withMoney(2500, 600) }),
  campaign("Thin margin", { emails_sent: 10_000, ...usual, ...withMoney(1000, 8000) }),
  campaign("50,000 emails in one go", { emails_sent: 50_000, ...usual, ...withMoney(2500, 20_000) }),
  campaign("100,000,000 emails", { ...sample, emails_sent: 100_000_000, campaign_cost: 1_000_000 })
]
