// Creates the tables in an empty database, whose URL is the argument.
import { Effect } from "effect"
import { createDatabase } from "../../../test/support/Application.ts"

await Effect.runPromise(createDatabase(process.argv[2] ?? ""))
