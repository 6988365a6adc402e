import { Cause, Console, Effect, Layer } from "effect"
import { CliConfig, type CliError, CliOutput, Command, GlobalFlag, type HelpDoc } from "effect/cli"
import packageJson from "../../package.json" with { type: "json" }
import { completions } from "./CompletionScript.ts"
import { configCommand } from "./ConfigCommand.ts"
import { creditsCommand } from "./CreditsCommand.ts"
import { databaseCommand } from "./DatabaseCommand.ts"
import { doctorCommand } from "./DoctorCommand.ts"
import { helpText } from "./HelpText.ts"
import { keysCommand } from "./KeysCommand.ts"
import { columns, errorColumns, wrapLines } from "./Layout.ts"
import { ledgerCommand } from "./LedgerCommand.ts"
import { mailsCommand } from "./MailsCommand.ts"
import { showMistake } from "./Mistakes.ts"
import { mcpCommand } from "./McpCommand.ts"
import { ordersCommand } from "./OrdersCommand.ts"
import { safeConsole } from "./Printing.ts"
import { serveCommand } from "./ServeCommand.ts"

const outreachForecast = Command.make("outreach-forecast").pipe(
  Command.withDescription(packageJson.description),
  Command.withSubcommands([
    serveCommand,
    keysCommand,
    creditsCommand,
    ledgerCommand,
    ordersCommand,
    mailsCommand,
    mcpCommand,
    databaseCommand,
    configCommand,
    doctorCommand
  ])
)

/** Global flags. The level of the log is a setting of the service, not of a command. */
const builtIns = [GlobalFlag.Help, GlobalFlag.Version, completions]

const run = Command.runWith(outreachForecast, { version: packageJson.version })

/** The help of a command; undefined where there is no such command. */
const docOf = (path: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    let found: HelpDoc.HelpDoc | undefined
    const present = (event: CliOutput.Presenter.Event) =>
      Effect.sync(() => {
        if (event._tag === "Help") found = event.helpDoc
      })
    yield* run([...path, "--help"]).pipe(
      Effect.provideService(CliOutput.Presenter, CliOutput.Presenter.of({ present })),
      Effect.ignore
    )
    return found
  })

/** Presents everything but the answers of commands: help, usage errors and failures, wrapped to the terminal. */
const presentation = Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
  const environment = yield* Effect.context<Command.Environment>()
  const helpOf = (path: ReadonlyArray<string>) => Effect.provide(docOf(path), environment)
  const width = yield* columns
  const errorWidth = yield* errorColumns
  const error = ({ message }: CliError.CliError) => wrapLines(message, errorWidth)
  const formatter: CliOutput.Formatter = {
    formatHelpDoc: (doc) => helpText(doc, width),
    formatCliError: error,
    formatError: error,
    formatErrors: (errors) => errors.map(error).join("\n"),
    formatVersion: (name, version) => `${name} ${version}`
  }
  const present = Effect.fnUntraced(function* (event: CliOutput.Presenter.Event) {
    if (event._tag !== "InvalidInvocation") return yield* CliOutput.defaultPresenter.present(event)
    const [error] = event.errors
    if (error === undefined) return
    yield* Console.error(wrapLines(yield* showMistake({ error, doc: event.helpDoc, words }, helpOf), errorWidth))
  })
  return Layer.mergeAll(
    CliOutput.layer(formatter),
    CliOutput.layerPresenter({ present }),
    CliConfig.layer({ builtIns }),
    safeConsole
  )
})

/** Prints unexpected errors. The failures that commands expect were printed already. */
const reportUnforeseen = <E>(cause: Cause.Cause<E>) =>
  Cause.hasDies(cause) ? Console.error(Cause.pretty(cause)) : Effect.void

/** Runs the command that the arguments name: prints its output, its help or what is wrong, and fails if it fails. */
export const runCommandLine = Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
  yield* run(words).pipe(Effect.tapCause(reportUnforeseen), Effect.provide(yield* presentation(words)))
})
