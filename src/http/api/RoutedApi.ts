import { HttpApi, HttpApiGroup } from "effect/http-api"
import { ProblemAnswers } from "../problems/ProblemAnswers.ts"
import { AccessGroup } from "./AccessApi.ts"
import { BenchmarkGroup } from "./BenchmarkApi.ts"
import { forecasts } from "./CampaignApi.ts"
import { HealthGroup } from "./HealthApi.ts"
import { KeyGroup } from "./KeyApi.ts"
import { OrderGroup } from "./OrderApi.ts"

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
