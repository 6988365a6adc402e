import { Effect, Option, Redacted } from "effect"
import type { ApiAddress } from "./views/Snippets.ts"
import { Settings } from "../Settings.ts"
import { PublicUrl } from "../http/PublicUrl.ts"

/** The service that the calls on the pages address, and whether it accepts the key `demo`. */
export const apiAddress: Effect.Effect<ApiAddress, never, Settings | PublicUrl> = Effect.gen(function* () {
  const { demoKey } = yield* Settings
  const hasDemoKey = Option.exists(demoKey, ({ secret }) => Redacted.value(secret) === "demo")
  return { baseUrl: yield* PublicUrl, hasDemoKey }
})
