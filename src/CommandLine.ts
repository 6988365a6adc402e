import { Console, Effect, Layer, Option } from "effect"
import { CliConfig, CliOutput, Command, Flag, GlobalFlag } from "effect/cli"
import packageJson from "../package.json" with { type: "json" }
import * as Application from "./Application.ts"
import { type CommandDatabase, nameDatabase } from "./cli/CommandDatabase.ts"
import { printFailure } from "./cli/UserFailures.ts"
import { configCommand } from "./operation/ConfigCommand.ts"
import { adjustmentCommand } from "./metering/AdjustmentCommand.ts"
import { added } from "./Extension.ts"
import { extensions } from "./extensions.ts"
import { keysCommand } from "./keys/KeysCommand.ts"
import { ledgerCommand } from "./credits/LedgerCommand.ts"
import { mailsCommand } from "./mail/MailsCommand.ts"
import { ordersCommand } from "./orders/OrdersCommand.ts"
import { safeConsole } from "./cli/Printing.ts"
import { serveCommand } from "./operation/ServeCommand.ts"
import { backupCommand, restoreCommand } from "./operation/BackupCommand.ts"

const database: CommandDatabase<Layer.Success<typeof Application.layerToRead>> = {
  reads: (command) =>
    command.pipe(Command.provideEffectDiscard(nameDatabase), Command.provide(Application.layerToRead)),
  changes: (command) =>
    command.pipe(Command.provideEffectDiscard(nameDatabase), Command.provide(Application.layerToChange)),
  opened: Application.layerToRead
}

/** The commands of no extension, so that the list of all is never empty for the compiler. */
const none: (database: CommandDatabase<never>) => Readonly<Record<"keys" | "database" | "top", readonly []>> = () => ({
  keys: [],
  database: [],
  top: []
})

/** The commands of extensions. */
const others = [none, ...added(extensions, "commands")].map((commandsOf) => commandsOf(database))

/** `database`: backup, restore and migration of all data. */
const databaseCommand = Command.make("database").pipe(
  Command.withDescription("Back up the database, restore a backup, or move all data to another database."),
  Command.withSubcommands([backupCommand, restoreCommand, ...added(others, "database").flat()])
)

const outreachForecast = Command.make("outreach-forecast").pipe(
  Command.withDescription(packageJson.description),
  Command.withSubcommands([
    serveCommand,
    keysCommand(database, added(others, "keys").flat()),
    adjustmentCommand(database),
    ledgerCommand(database),
    ordersCommand(database),
    mailsCommand(database),
    databaseCommand,
    configCommand,
    ...added(others, "top").flat()
  ])
)

/** The built-in flag also accepts alternative names for two of the shells. */
const completions: typeof GlobalFlag.Completions = {
  ...GlobalFlag.Completions,
  flag: Flag.Literals("completions", ["bash", "zsh", "fish", "powershell"]).pipe(
    Flag.optional,
    Flag.withDescription("Print shell completion script")
  )
}

/** The global flags. The log level is a setting of the service, not a flag. */
const builtIns = [GlobalFlag.Help, GlobalFlag.Version, completions]

/** Without colors, because the console keeps control characters from the terminal. */
const plain = CliOutput.defaultFormatter({ colors: false })

/** A quoted argument may be a URL with a password. */
const withoutPasswords = (message: string) => message.replaceAll(/:\/\/\S*@/g, "://…@")

const formatter: CliOutput.Formatter = {
  formatHelpDoc: (help) =>
    plain.formatHelpDoc({
      ...help,
      flags: help.flags.map((flag) =>
        flag.required
          ? { ...flag, description: Option.map(flag.description, (description) => `${description} (required)`) }
          : flag
      )
    }),
  formatVersion: plain.formatVersion,
  formatCliError: (error) => withoutPasswords(plain.formatCliError(error)),
  formatError: plain.formatError,
  formatErrors: (errors) => withoutPasswords(plain.formatErrors(errors))
}

/** Prints one line about a missing or invalid parameter, and the help only for a name that does not exist. */
const presenter: CliOutput.Presenter = {
  present: (event) => {
    if (event._tag !== "InvalidInvocation") return CliOutput.defaultPresenter.present(event)
    const [error] = event.errors
    switch (error?._tag) {
      case "MissingOption":
      case "MissingArgument":
      case "InvalidValue":
        return Console.error(`${formatter.formatCliError(error)}. See ${event.commandPath.join(" ")} --help.`)
      default:
        return CliOutput.defaultPresenter.present(event)
    }
  }
}

/** Runs the command in the arguments: prints its output, its help or its failure, and fails if it fails. */
export const runCommandLine = (words: ReadonlyArray<string>) =>
  Command.runWith(outreachForecast, { version: packageJson.version })(words).pipe(
    Effect.tapCause(printFailure),
    Effect.provide(
      Layer.mergeAll(
        CliOutput.layer(formatter),
        CliOutput.layerPresenter(presenter),
        CliConfig.layer({ builtIns }),
        safeConsole
      )
    )
  )
