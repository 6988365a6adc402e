import { BenchmarkGroup } from "../http/api/BenchmarkApi.ts"
import { forecasts } from "../http/api/CampaignApi.ts"
import { ForecastGroup } from "../http/api/ForecastApi.ts"
import { GoalGroup } from "../http/api/GoalApi.ts"
import { KeyGroup } from "../http/api/KeyApi.ts"
import { OrderGroup } from "../http/api/OrderApi.ts"

/** The operations of the client, as the API declares them. */
export const operations = {
  forecast: ForecastGroup.endpoints.forecast,
  legacyRoi: ForecastGroup.endpoints.legacyForecast,
  goal: GoalGroup.endpoints.goal,
  benchmarks: BenchmarkGroup.endpoints.benchmarks,
  forecasts,
  usage: KeyGroup.endpoints.usage,
  ledger: KeyGroup.endpoints.ledger,
  creditPacks: OrderGroup.endpoints.creditPacks,
  rotateKey: KeyGroup.endpoints.rotate
}
