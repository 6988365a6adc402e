import { Layer } from "effect"
import { direct, routes } from "./Api.ts"
import * as AdminHttp from "./health/AdminHttp.ts"
import { Draining } from "./http/server/Draining.ts"
import * as PublicServer from "./http/server/PublicServer.ts"
import { CallCounting } from "./keys/CallCounts.ts"
import { KeyLimits } from "./keys/KeyLimits.ts"
import { RequestKeys } from "./keys/RequestKeys.ts"
import { TokenLimits } from "./keys/TokenLimitsHttp.ts"
import { Forecasts } from "./metering/Forecasts.ts"
import { errorPage } from "./site/ErrorPages.ts"
import { routed } from "./http/server/RoutedRequests.ts"

/**
 * Listens, for the public and the operator. This comes before the database: if a port is taken, the service exits and
 * has changed nothing.
 */
export const listening = Layer.merge(PublicServer.listening(errorPage), AdminHttp.AdminServer.layer)

/** Serves as `layer` does, with the given draining. */
export const layerNoDeps = PublicServer.layer({ routed: routed(routes), direct, errorPage }).pipe(
  Layer.provide([RequestKeys.layer, TokenLimits.layer, Forecasts.layer]),
  Layer.provide(KeyLimits.layer),
  Layer.provideMerge(CallCounting.layer),
  Layer.provide(AdminHttp.layer)
)

/** Serves the public and the operator until its scope closes; the operator's listener closes last. */
export const layer = layerNoDeps.pipe(Layer.provideMerge(Draining.layer), Layer.provideMerge(listening))
