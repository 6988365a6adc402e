import { Command } from "effect/cli"
import { copyCommand } from "./CopyCommand.ts"

/** `database`: the data as a whole. */
export const databaseCommand = Command.make("database").pipe(
  Command.withDescription("Move to another database."),
  Command.withSubcommands([copyCommand])
)
