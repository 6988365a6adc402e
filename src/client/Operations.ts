import { ForecastGroup } from "../http/ForecastApi.ts"
import { KeyGroup } from "../http/KeyApi.ts"
import { OrderGroup } from "../http/OrderApi.ts"

/** What the client can call, as the API declares it. */
export const operations = {
  forecast: ForecastGroup.endpoints.forecast,
  legacyRoi: ForecastGroup.endpoints.legacyForecast,
  usage: KeyGroup.endpoints.usage,
  ledger: KeyGroup.endpoints.ledger,
  creditPacks: OrderGroup.endpoints.creditPacks,
  rotateKey: KeyGroup.endpoints.rotate
}
