import { HttpApi, HttpApiGroup } from "effect/http-api"
import { ProblemAnswers } from "./http/problems/ProblemAnswers.ts"
import { AccessGroup } from "./keys/AccessApi.ts"
import { BenchmarkGroup } from "./metering/BenchmarksApi.ts"
import { forecasts } from "./metering/CampaignsApi.ts"
import { HealthGroup } from "./operation/HealthApi.ts"
import { KeyGroup } from "./keys/KeysApi.ts"
import { OrderGroup } from "./orders/OrdersApi.ts"

const { ledger, revoke, rotate } = KeyGroup.endpoints

/** What the router answers, a request at a time: all of the API but the endpoints whose requests are answered together. */
export class RoutedApi extends HttpApi.make("outreach-forecast")
  .add(
    HttpApiGroup.make("forecasts").add(forecasts),
    BenchmarkGroup,
    AccessGroup,
    HttpApiGroup.make("keys").add(ledger, rotate, revoke),
    OrderGroup,
    HealthGroup
  )
  .middleware(ProblemAnswers) {}
