import { maxCampaigns } from "./Campaigns.ts"
import { asInForecast, type Operation } from "../../metering/Operations.ts"
import { listCall } from "./ListCall.ts"

/** Many campaigns in one request, for a credit each; in a thread, and also as CSV. */
export const listOperation = {
  id: "forecasts",
  ...listCall,
  summary: "Forecast many campaigns",
  description:
    "Forecasts 1 to 1,000 campaigns, adds them up, and ranks them, with the chance that each is really better than " +
    "the next. The request is JSON or CSV, of at most 1 MiB; the response is JSON or CSV too. In JSON, history has past " +
    "campaigns, from which the rates of all campaigns are learned, and independent says that the campaigns are those of " +
    "different clients; otherwise they are one sender's, whose level is the same in all. It takes one credit for " +
    "each campaign, or none at all: a request with an error, or with too few credits left, takes none.",
  limit: 1024,
  tool: {
    name: "compare_campaigns",
    title: "Compare campaigns",
    description:
      `Forecasts 1 to ${maxCampaigns.toLocaleString("en")} campaigns together, adds them up, and ranks them with the ` +
      `chance that each is really better than the next. ${asInForecast}`,
    cost: "Costs 1 credit per campaign, or nothing at all if too few credits are left."
  }
} as const satisfies Operation
