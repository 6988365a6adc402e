import type { GoldenCampaign } from "./campaigns.ts"

const campaign = (name: string, request: object): GoldenCampaign => ({ name, request })

const rates = (reply: number, positive: number, booking: number, close: number) => ({
  reply_rate: reply,
  positive_reply_rate: positive,
  meeting_booking_rate: booking,
  close_rate: close
})

const money = (value: number, cost: number) => ({ average_deal_value: value, campaign_cost: cost })

const past = (emails: number, replies: number, positive: number, meetings: number, clients: number) => ({
  emails_sent: emails,
  replies,
  positive_replies: positive,
  meetings,
  clients
})

/** One for each kind of advice that used to be wrong. */
const once = [
  campaign("Plan of 5 percent, measured 2 of 800", {
    emails_sent: 5000,
    ...rates(5, 30, 20, 25),
    ...money(2500, 600),
    history: [{ emails_sent: 800, replies: 2 }]
  }),
  campaign("Reply and close rate measured, the rest hoped for", {
    emails_sent: 12_000,
    ...rates(3, 30, 40, 20),
    ...money(12_000, 6000),
    history: [{ emails_sent: 800, replies: 31, meetings: 30, clients: 6 }]
  }),
  campaign("Nine of ten meetings are missed", {
    emails_sent: 12_000,
    ...rates(3, 30, 40, 20),
    ...money(12_000, 6000),
    show_rate: 10
  }),
  campaign("Enterprise software to 400 contacts", {
    emails_sent: 400,
    ...rates(3, 30, 35, 6),
    ...money(200_000, 5000)
  }),
  campaign("A fifth of replies is positive", { emails_sent: 9000, ...rates(3, 20, 40, 20), ...money(8000, 3000) }),
  campaign("Consulting projects above 100,000", {
    emails_sent: 6000,
    ...rates(2.5, 25, 40, 12),
    ...money(150_000, 9000),
    show_rate: 75
  }),
  campaign("Pays on average, but not often", {
    emails_sent: 6000,
    ...rates(2, 30, 40, 15),
    ...money(12_000, 20_000)
  }),
  campaign("Ten emails to each contact", {
    emails_sent: 10_000,
    ...rates(9, 30, 40, 20),
    ...money(5000, 4000),
    emails_per_contact: 10
  }),
  campaign("Only the tool is counted as a cost", {
    emails_sent: 12_000,
    ...rates(3, 30, 40, 20),
    ...money(12_000, 99)
  }),
  campaign("A subscription of 49 a month", { emails_sent: 12_000, ...rates(3, 30, 40, 20), ...money(49, 6000) }),
  campaign("A fraction beside percentages", { emails_sent: 5000, ...rates(0.05, 30, 20, 25), ...money(2500, 600) }),
  campaign("Counts in place of rates: 100 replies, 30 positive, 12 meetings, 3 clients", {
    emails_sent: 5000,
    ...rates(100, 30, 12, 3),
    ...money(5000, 1500)
  }),
  campaign("The bounce rate in place of the delivery rate", {
    emails_sent: 5000,
    ...rates(2, 30, 40, 20),
    ...money(5000, 1500),
    delivery_rate: 5
  }),
  campaign("Hardly anybody replies, and hardly any reply is positive", {
    emails_sent: 5000,
    ...rates(0.3, 5, 10, 5),
    ...money(5000, 1500)
  })
]

const others = [
  campaign("Lead agency for a machine builder, per contact", {
    emails_sent: 9000,
    ...rates(1.4, 28, 45, 14),
    ...money(38_000, 7500),
    delivery_rate: 96,
    show_rate: 85,
    emails_per_contact: 3
  }),
  campaign("Design agency, first campaign", { emails_sent: 600, ...rates(4, 35, 40, 25), ...money(6500, 900) }),
  campaign("SEO agency with eight past campaigns", {
    emails_sent: 4000,
    ...rates(3, 30, 35, 20),
    ...money(4800, 2200),
    history: [
      past(3800, 92, 21, 8, 2),
      past(4100, 60, 17, 7, 1),
      past(2500, 88, 30, 9, 2),
      past(5000, 41, 9, 3, 0),
      past(4200, 130, 44, 14, 4),
      past(3900, 75, 20, 8, 1),
      past(4000, 52, 15, 6, 1),
      past(4400, 101, 28, 11, 2)
    ]
  }),
  campaign("SaaS at 79 a month, yearly value given", {
    emails_sent: 15_000,
    ...rates(1.8, 22, 40, 22),
    ...money(948, 4200)
  }),
  campaign("SaaS with demos, 30 percent never show up", {
    emails_sent: 10_000,
    ...rates(2.2, 25, 50, 18),
    ...money(14_400, 6800),
    delivery_rate: 93,
    show_rate: 70
  }),
  campaign("SaaS with one past campaign that went badly", {
    emails_sent: 6000,
    ...rates(3, 30, 45, 20),
    ...money(7200, 3000),
    history: [past(5800, 46, 8, 2, 0)]
  }),
  campaign("Recruiter looking for mandates, half measured", {
    emails_sent: 2500,
    ...rates(4, 25, 50, 20),
    ...money(17_000, 2400),
    history: [{ emails_sent: 1250, replies: 64, positive_replies: 19, meetings: 11 }]
  }),
  campaign("Recruiter writing to candidates", {
    emails_sent: 800,
    ...rates(12, 45, 60, 15),
    ...money(14_000, 2600)
  }),
  campaign("Consultant with 150 hand-written emails", {
    emails_sent: 150,
    ...rates(10, 50, 60, 30),
    ...money(9000, 1200)
  }),
  campaign("Tax adviser in euros, local list", {
    emails_sent: 1200,
    ...rates(2.5, 40, 50, 30),
    ...money(3200, 1400)
  }),
  campaign("Web shop software in yen", { emails_sent: 8000, ...rates(2, 25, 40, 15), ...money(1_200_000, 900_000) }),
  campaign("Translators in Swiss francs, no deal value", {
    emails_sent: 3000,
    ...rates(2.8, 30, 35, 25),
    campaign_cost: 1800
  }),
  campaign("Test of a new market with 200 emails", {
    emails_sent: 200,
    ...rates(3, 30, 40, 20),
    ...money(10_000, 300)
  }),
  campaign("List of 60,000 bought addresses", {
    emails_sent: 60_000,
    ...rates(0.6, 15, 35, 12),
    ...money(3000, 14_000),
    delivery_rate: 82
  }),
  campaign("A million newsletters", { emails_sent: 1_000_000, ...rates(0.3, 10, 20, 5), ...money(400, 25_000) }),
  campaign("Rates from a sales course", { emails_sent: 5000, ...rates(15, 65, 85, 45), ...money(5000, 2000) }),
  campaign("Solar installer whose close rate was luck", {
    emails_sent: 4000,
    ...rates(2, 30, 40, 20),
    ...money(15_000, 3500),
    history: [{ emails_sent: 500, meetings: 3, clients: 3 }]
  }),
  campaign("Twenty good campaigns, better than planned", {
    emails_sent: 5000,
    ...rates(1.5, 20, 35, 15),
    ...money(9000, 5000),
    history: Array.from({ length: 20 }, (_, index) =>
      past(3000 + 100 * index, 90 + ((index * 37) % 60), 30 + ((index * 11) % 20), 13 + (index % 5), 3 + (index % 3))
    )
  }),
  campaign("Three similar campaigns, and no spread", {
    emails_sent: 6000,
    ...rates(3, 30, 40, 20),
    ...money(8000, 4000),
    spread: "none",
    history: [past(5000, 160, 52, 20, 4), past(6000, 170, 50, 19, 4), past(5500, 181, 60, 24, 5)]
  })
]

/** Campaigns whose forecasts are reviewed: agencies, software, recruiters, consultants, small tests and large lists. */
export const practiceCampaigns: ReadonlyArray<GoldenCampaign> = [...once, ...others]
