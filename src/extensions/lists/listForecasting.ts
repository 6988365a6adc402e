import { Schema } from "effect"
import { forecastList, ListAnswer, ListProgress, ListRequest } from "./CampaignList.ts"
import { InvalidInput, MalformedJson } from "../../input/InvalidInput.ts"
import { computationWithReports } from "../../workers/Computation.ts"

export const listForecasting = computationWithReports(
  "forecast a list",
  {
    input: ListRequest,
    step: ListProgress,
    success: ListAnswer,
    error: Schema.Union([InvalidInput, MalformedJson])
  },
  forecastList
)
