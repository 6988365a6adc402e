import { describe, layer } from "@effect/vitest"
import { body, campaigns } from "../support/CampaignRequests.ts"
import { httpApplication } from "../support/Http.ts"
import { type RetriedRequest, testRetries } from "../support/retriedRequests.ts"
import { sample } from "../support/Samples.ts"
import { nothingSent } from "./support/InFlight.ts"

const withGoal = (goal: object, campaign: object = sample) => JSON.stringify({ ...campaign, goal })
const flight = (changes: object = {}) =>
  JSON.stringify({
    ...sample,
    so_far: { ...nothingSent, emails_sent: 2000, replies: 62 },
    emails_left: 3000,
    ...changes
  })
const [one, two] = campaigns(2)
const csv = `name,${Object.keys(sample).join()}
Campaign 0,${Object.values(sample).join()}
Campaign 1,${Object.values({ ...sample, emails_sent: 5001 }).join()}
`

/** A request of each operation that extensions add, quick to compute or not. */
const requests: ReadonlyArray<RetriedRequest> = [
  {
    name: "a quick goal",
    path: "/api/v1/goals",
    request: { text: withGoal({ clients: 4 }) },
    again: { text: JSON.stringify({ goal: { clients: 4 }, ...sample }).replace('"clients":4', '"clients":4.0') },
    others: [withGoal({ clients: 5 }), withGoal({ meetings: 4 }), withGoal({ clients: 4, chance: 0.9 })]
  },
  {
    name: "a goal with a chance",
    path: "/api/v1/goals",
    request: { text: withGoal({ clients: 4, chance: 0.8 }) },
    again: { text: JSON.stringify({ goal: { chance: 0.8, clients: 4 }, ...sample }) },
    others: [withGoal({ clients: 4 })]
  },
  {
    name: "the progress of a campaign",
    path: "/api/v1/progress",
    request: { text: flight() },
    // Sending a default explicitly makes no difference.
    again: { text: flight({ spread: "published", open: { emails: null } }) },
    others: [flight({ emails_left: 2999 }), flight({ open: { replies: 1 } })]
  },
  {
    name: "a list of campaigns",
    path: "/api/v1/forecasts",
    request: { text: body([one, two]) },
    again: { text: csv, type: "text/csv" },
    others: [body([two, one]), body([one])]
  }
]

describe("Idempotency-Key of extensions", () => {
  layer(httpApplication())((it) => testRetries(it, requests))
})
