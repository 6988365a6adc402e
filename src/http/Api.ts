import { HttpApi, OpenApi } from "effect/http-api"
import { AccessGroup } from "./AccessApi.ts"
import { withCodeSamples } from "./CodeSamples.ts"
import { ForecastGroup } from "./ForecastApi.ts"
import { HealthGroup } from "./HealthApi.ts"
import { KeyGroup } from "./KeyApi.ts"
import { OrderGroup } from "./OrderApi.ts"
import { AnyProblem } from "./Problems.ts"
import { withRefusals } from "./Refusals.ts"
import { withResponseHeaders } from "./ResponseHeaders.ts"

/** What SPDX has no name for is a reference of one's own: nobody is granted a licence. */
const license = { name: "Proprietary", identifier: "LicenseRef-Proprietary" }

/** Everything the service offers to programs: what `/openapi.json` and `/docs` show. */
export class Api extends HttpApi.make("outreach-forecast")
  .add(ForecastGroup, AccessGroup, KeyGroup, OrderGroup, HealthGroup)
  .annotateMerge(
    OpenApi.annotations({
      title: "Outreach Forecast",
      version: "1.0.0",
      description:
        "Turns the assumptions of a cold-email campaign into an ROI forecast: exact, deterministic, and honest about " +
        "what it cannot know. Estimates, not guarantees. Every answer that is not 2xx is application/problem+json " +
        "(RFC 9457).",
      license,
      externalDocs: { url: "/docs/first-call", description: "The guide." },
      servers: [{ url: "/", description: "This server." }],
      transform: (spec) => withRefusals(withCodeSamples(withResponseHeaders(spec)))
    })
  )
  .annotate(HttpApi.AdditionalSchemas, [AnyProblem]) {}
