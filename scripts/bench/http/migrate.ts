// Makes the tables of an empty database, whose URL is its argument.
import { Effect } from "effect"
import { createDatabase } from "../../../test/support/Application.ts"

await Effect.runPromise(createDatabase(process.argv[2] ?? ""))
