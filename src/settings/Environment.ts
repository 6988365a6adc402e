import { Schema } from "effect"
import { decoded, orElse } from "./Variable.ts"

/** `production` accepts only live keys and no demo key; the others accept test keys and the demo key. */
export type Environment = "development" | "test" | "production"

const Environment = Schema.Literals(["development", "test", "production"])

/** Reads APP_ENV. */
export const environment = decoded(
  "APP_ENV",
  Schema.String.pipe(Schema.decodeTo(Environment)),
  "development, test or production"
).pipe(orElse("development" as const))
