import { DateTime, Effect, Option } from "effect"

/** The readiness that a running server reports. */
export interface Readiness {
  readonly status: number
  readonly text: string
  /** Its clock, in milliseconds; undefined if it does not report one. */
  readonly clock: number | undefined
}

/** Probes whether a server is ready; undefined if none responds within 5 seconds. */
export const probeServer = (base: string): Effect.Effect<Readiness | undefined> =>
  Effect.promise(async (signal) => {
    try {
      const response = await fetch(`${base}/readyz`, { signal: AbortSignal.any([signal, AbortSignal.timeout(5000)]) })
      const date = DateTime.make(response.headers.get("date") ?? "")
      const clock = Option.getOrUndefined(Option.map(date, DateTime.toEpochMillis))
      return { status: response.status, text: (await response.text()).slice(0, 300), clock }
    } catch {
      return undefined
    }
  })
