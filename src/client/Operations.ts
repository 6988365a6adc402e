import { ForecastGroup } from "../http/api/ForecastApi.ts"
import { KeyGroup } from "../http/api/KeyApi.ts"
import { OrderGroup } from "../http/api/OrderApi.ts"

/** What the client can call, as the API declares it. */
export const operations = {
  forecast: ForecastGroup.endpoints.forecast,
  legacyRoi: ForecastGroup.endpoints.legacyForecast,
  usage: KeyGroup.endpoints.usage,
  ledger: KeyGroup.endpoints.ledger,
  creditPacks: OrderGroup.endpoints.creditPacks,
  rotateKey: KeyGroup.endpoints.rotate
}
