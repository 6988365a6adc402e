import { Effect, Option, Redacted, Schema } from "effect"
import { check, decoded, integer, orElse, report, secret } from "./Variable.ts"

/** `production` accepts only live keys and no demo key; the others accept test keys and the demo key. */
export type Environment = "development" | "test" | "production"

const Environment = Schema.Literals(["development", "test", "production"])

/** Reads APP_ENV. */
export const environment = decoded(
  "APP_ENV",
  Schema.String.pipe(Schema.decodeTo(Environment)),
  "development, test or production"
).pipe(orElse("development" as const))

/** The key that is accepted outside production without having been issued, and its balance at each start. */
export interface DemoKey {
  readonly secret: Redacted.Redacted
  readonly credits: number
}

const isKey = (key: Redacted.Redacted) => /^[A-Za-z0-9._~-]{1,200}$/.test(Redacted.value(key))

/** Reads DEMO_KEY and DEMO_CREDITS; neither may be set in production. */
export const demoKey = Effect.fnUntraced(function* (isProduction: boolean) {
  const key = yield* secret("DEMO_KEY").pipe(
    check("DEMO_KEY", isKey, "have 1 to 200 characters: letters, digits, dots, underscores, tildes and hyphens")
  )
  const credits = yield* integer("DEMO_CREDITS", 0, 1_000_000_000, "an integer from 0 to 1000000000")
  if (isProduction) {
    if (Option.isSome(key)) yield* report("DEMO_KEY must not be set in production: no demo key is accepted there")
    if (Option.isSome(credits)) yield* report("DEMO_CREDITS must not be set in production: there is no demo key")
    return Option.none<DemoKey>()
  }
  return Option.some<DemoKey>({
    secret: Option.getOrElse(key, () => Redacted.make("demo")),
    credits: Option.getOrElse(credits, () => 100)
  })
})
