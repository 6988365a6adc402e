import { sample } from "../../support/Samples.ts"
import type { GoldenCampaign } from "./campaigns.ts"

const flight = (name: string, request: object): GoldenCampaign => ({ name, request })

const counts = (emails: number, replies: number, positive: number, meetings: number, clients: number) => ({
  emails_sent: emails,
  replies,
  positive_replies: positive,
  meetings,
  clients
})

const rates = (reply: number, positive: number, booking: number, close: number) => ({
  reply_rate: reply,
  positive_reply_rate: positive,
  meeting_booking_rate: booking,
  close_rate: close
})

const quarter = { emails_sent: 10_000, ...rates(1.71, 14.1, 45, 25), average_deal_value: 5000, campaign_cost: 2500 }
const first = { ...quarter, emails_sent: 3000, campaign_cost: 1500 }

/** Campaigns in flight whose advice is reviewed. */
export const flights: ReadonlyArray<GoldenCampaign> = [
  flight("The guide's example", {
    ...sample,
    so_far: counts(2000, 62, 14, 4, 1),
    open: { replies: 7, positive_replies: 4, meetings: 2 }
  }),
  flight("Nothing sent yet", { ...quarter, so_far: counts(0, 0, 0, 0, 0) }),
  flight("A first week, too early for anything", {
    ...first,
    so_far: counts(300, 4, 0, 0, 0),
    open: { emails: 200, replies: 1 }
  }),
  flight("800 emails without a reply", { ...first, so_far: counts(800, 0, 0, 0, 0) }),
  flight("120 emails without a reply", { ...first, so_far: counts(120, 0, 0, 0, 0) }),
  flight("Six meetings, no client, nothing given as open", {
    ...quarter,
    so_far: counts(6000, 110, 18, 6, 0)
  }),
  flight("One meeting yesterday, not given as open", { ...first, so_far: counts(1500, 24, 4, 1, 0) }),
  flight("Half of the replies are out-of-office notices", {
    ...quarter,
    so_far: counts(3000, 140, 7, 3, 0),
    open: { meetings: 3 }
  }),
  flight("Replies as planned, hardly any positive", {
    emails_sent: 6000,
    ...rates(3, 30, 40, 20),
    average_deal_value: 8000,
    campaign_cost: 3000,
    so_far: counts(3000, 95, 8, 2, 0),
    open: { emails: 300, replies: 4, positive_replies: 1, meetings: 1 }
  }),
  flight("Few meetings of many positive replies", {
    ...quarter,
    so_far: counts(4000, 75, 14, 3, 1),
    open: { emails: 200, replies: 2 }
  }),
  flight("A plan of guides' rates, a list of usual replies", {
    emails_sent: 5000,
    ...rates(8, 40, 50, 25),
    average_deal_value: 3000,
    campaign_cost: 900,
    so_far: counts(2500, 45, 9, 4, 1),
    open: { positive_replies: 2, meetings: 2 }
  }),
  flight("Better than planned", {
    ...quarter,
    so_far: counts(5000, 210, 41, 20, 5),
    open: { emails: 400, replies: 6, positive_replies: 4, meetings: 5 }
  }),
  flight("Everything sent, some meetings to come", {
    ...quarter,
    delivery_rate: 96,
    show_rate: 75,
    so_far: {
      emails_sent: 10_000,
      delivered: 9610,
      replies: 150,
      positive_replies: 22,
      meetings: 10,
      meetings_held: 6,
      clients: 1
    },
    open: { meetings: 2, meetings_held: 3 }
  }),
  flight("Over and done", { ...quarter, so_far: counts(10_000, 160, 25, 11, 2) }),
  flight("Over, without a single client", { ...first, so_far: counts(3000, 40, 5, 0, 0) }),
  flight("With two past campaigns, no deal value", {
    emails_sent: 4000,
    ...rates(2, 20, 40, 20),
    history: [counts(3800, 92, 21, 8, 2), counts(4100, 60, 17, 7, 1)],
    so_far: counts(1800, 22, 3, 1, 0),
    open: { emails: 150, meetings: 1 }
  })
]
