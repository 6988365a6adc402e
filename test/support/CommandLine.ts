import { format } from "node:util"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Console, Effect, type Exit, Layer, Runtime, Semaphore, Stdio, Stream, Terminal } from "effect"
import { TerminalCapabilities } from "effect/cli"
import { runCommandLine } from "../../src/CommandLine.ts"
import { jsonOf } from "./Requests.ts"

/** The output of a command, and its exit code. */
export interface Printed {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** The working directory belongs to the process, so commands run one at a time. */
const turns = Semaphore.makeUnsafe(1)

const within =
  (directory: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        const before = process.cwd()
        process.chdir(directory)
        return before
      }),
      () => effect,
      (before) => Effect.sync(() => process.chdir(before))
    )

/** Captures what an effect prints and logs: the logger writes to standard error itself, once per turn of the event loop. */
const captured = <R>(run: (console: Console.Console) => Effect.Effect<number, never, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const [stdout, stderr]: readonly [Array<string>, Array<string>] = [[], []]
      const write = process.stderr.write.bind(process.stderr)
      process.stderr.write = (chunk: string | Uint8Array) => stderr.push(String(chunk)) > 0
      return { stderr, stdout, write }
    }),
    ({ stderr, stdout }) => {
      const into =
        (texts: Array<string>) =>
        (...parts: ReadonlyArray<unknown>) =>
          void texts.push(`${format(...parts)}\n`)
      const logged = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      return run({ ...globalThis.console, log: into(stdout), error: into(stderr) }).pipe(
        Effect.tap(() => logged),
        Effect.map((code): Printed => ({ code, stdout: stdout.join(""), stderr: stderr.join("") }))
      )
    },
    ({ write }) =>
      Effect.sync(() => {
        process.stderr.write = write
      })
  )

/** A terminal with this many columns; 0 for no terminal. */
export const terminal = (columns: number) =>
  Terminal.make({
    columns: Effect.succeed(columns),
    rows: Effect.succeed(0),
    size: Effect.die("no terminal"),
    readInput: Effect.die("no terminal"),
    readLine: Effect.die("no terminal"),
    display: () => Effect.die("no terminal")
  })

/** The code that a process would exit with. */
const codeOf = <A, E>(exit: Exit.Exit<A, E>): number => {
  let code = 0
  Runtime.defaultTeardown(exit, (ended) => {
    code = ended
  })
  return code
}

/**
 * Runs a command in a folder like `run` of Process.ts, but without the quarter of a second that a process takes to
 * start. It has only the given variables, and a terminal only if `columns` is not 0.
 */
export const runHere = (
  directory: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
  input = "",
  columns = 0
): Effect.Effect<Printed> =>
  captured((console) =>
    runCommandLine(args).pipe(
      Effect.provide(
        Layer.mergeAll(
          Stdio.layerTest({
            stdin: Stream.encodeText(Stream.make(input)),
            stderrIsTerminal: Effect.succeed(columns > 0)
          }),
          Layer.succeed(Terminal.Terminal, terminal(columns)),
          Layer.succeed(Console.Console, console),
          Layer.succeed(TerminalCapabilities.TerminalCapabilities, {
            canColor: false,
            canAnimate: false,
            canPrompt: false
          }),
          ConfigProvider.layer(ConfigProvider.fromEnv({ env: { HOME: directory, ...env } }))
        ).pipe(Layer.provideMerge(NodeServices.layer))
      ),
      Effect.exit,
      Effect.map(codeOf)
    )
  ).pipe(within(directory), (command) => turns.withPermit(command))

/** Issues a key by the command, to Ada unless another is named. */
export const issueHere = (
  directory: string,
  {
    credits = 100,
    email = "ada@example.com",
    name = "Ada"
  }: {
    readonly credits?: number
    readonly email?: string
    readonly name?: string
  } = {}
) => {
  const owner = ["--name", name, "--email", email, "--company", "Example"]
  return Effect.map(
    runHere(directory, ["keys", "issue", ...owner, "--credits", String(credits), "--json"]),
    ({ stdout }) => {
      const { api_key, id, prefix } = jsonOf(stdout)
      return { secret: String(api_key), id: String(id), prefix: String(prefix) }
    }
  )
}
