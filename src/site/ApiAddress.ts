import { Effect, Option, Redacted } from "effect"
import { PublicUrl } from "../http/RequestState.ts"
import { Settings } from "../Settings.ts"

/** The service called by the examples on its pages. */
export interface ApiAddress {
  /** The address of the service, without a trailing slash. */
  readonly baseUrl: string
  /** True if the key `demo` is accepted. */
  readonly hasDemoKey: boolean
}

/** The address of this service. */
export const apiAddress: Effect.Effect<ApiAddress, never, Settings | PublicUrl> = Effect.gen(function* () {
  const { demoKey } = yield* Settings
  const hasDemoKey = Option.exists(demoKey, ({ secret }) => Redacted.value(secret) === "demo")
  return { baseUrl: yield* PublicUrl, hasDemoKey }
})
