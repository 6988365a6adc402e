import { sample } from "./Samples.ts"

/** The path at which many campaigns are forecast. */
export const path = "/api/v1/forecasts"

/** This many campaigns, no two alike. */
export const campaigns = (count: number): ReadonlyArray<object> =>
  Array.from({ length: count }, (_, i) => ({ name: `Campaign ${i}`, ...sample, emails_sent: 5000 + i }))

/** This many campaigns of the slowest kind: some milliseconds each. */
export const largeCampaigns = (count: number): ReadonlyArray<object> =>
  campaigns(count).map((campaign) => ({ ...campaign, emails_sent: 100_000_000 }))

/** The body of a request with campaigns. */
export const body = (campaigns: ReadonlyArray<unknown>): string => JSON.stringify({ campaigns })
