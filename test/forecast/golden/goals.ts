import { sample } from "../../support/Samples.ts"
import type { GoldenCampaign } from "./campaigns.ts"

const wanted = (name: string, request: object): GoldenCampaign => ({ name, request })

const rates = (reply: number, positive: number, booking: number, close: number) => ({
  reply_rate: reply,
  positive_reply_rate: positive,
  meeting_booking_rate: booking,
  close_rate: close
})

const money = (value: number, cost: number) => ({ average_deal_value: value, campaign_cost: cost })

const quarter = { emails_sent: 10_000, ...rates(1.71, 14.1, 45, 25), ...money(5000, 2500) }

/** Goals whose answers are reviewed. */
export const goals: ReadonlyArray<GoldenCampaign> = [
  wanted("Four clients in 80 of 100, the guide's example", { ...sample, goal: { clients: 4, chance: 0.8 } }),
  wanted("One client, nearly certain", { ...quarter, goal: { clients: 1, chance: 0.95 } }),
  wanted("Ten clients a quarter", { ...quarter, goal: { clients: 10 } }),
  wanted("Twenty booked meetings", { ...quarter, goal: { meetings: 20, chance: 0.8 } }),
  wanted("More replies", { ...quarter, goal: { replies: 300 } }),
  wanted("A revenue, no cost known", {
    emails_sent: 4000,
    ...rates(2, 20, 40, 20),
    average_deal_value: 9000,
    goal: { revenue: 50_000 }
  }),
  wanted("A profit that more emails never earn", {
    emails_sent: 5000,
    ...rates(2, 20, 40, 20),
    ...money(300, 900),
    goal: { profit: 5000, chance: 0.8 }
  }),
  wanted("A profit within reach", { ...quarter, goal: { profit: 20_000, chance: 0.7 } }),
  wanted("Break even, most of the time", { ...quarter, goal: { roi_multiple: 1, chance: 0.9 } }),
  wanted("Three times the cost", {
    emails_sent: 8000,
    ...rates(2, 25, 40, 15),
    ...money(2000, 6000),
    goal: { roi_multiple: 3 }
  }),
  wanted("One large deal from few emails", {
    emails_sent: 400,
    ...rates(3, 30, 35, 6),
    ...money(200_000, 5000),
    goal: { clients: 1, chance: 0.8 }
  }),
  wanted("Several emails to each contact, with shows", {
    emails_sent: 9000,
    ...rates(1.4, 28, 45, 14),
    ...money(38_000, 7500),
    delivery_rate: 96,
    show_rate: 85,
    emails_per_contact: 3,
    goal: { clients: 3, chance: 0.8 }
  }),
  wanted("Already reached", { ...sample, goal: { clients: 2 } }),
  wanted("With past campaigns", {
    ...quarter,
    history: [
      { emails_sent: 3800, replies: 92, positive_replies: 21, meetings: 8, clients: 2 },
      { emails_sent: 4100, replies: 60, positive_replies: 17, meetings: 7, clients: 1 }
    ],
    goal: { clients: 5, chance: 0.8 }
  }),
  wanted("A return without a deal value", {
    emails_sent: 3000,
    ...rates(2, 20, 40, 20),
    campaign_cost: 900,
    goal: { roi_multiple: 5, chance: 0.8 }
  })
]
