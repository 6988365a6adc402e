import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { inspect } from "node:util"
import { Effect, Schema } from "effect"

/** The built program. */
export const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url))

/** The output of a process so far, and its exit. */
export interface Running {
  readonly process: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  readonly exit: Promise<number | string>
}

/** Starts a command with only the given variables; it is killed when the scope closes. */
export const startCommand = (
  command: string,
  args: ReadonlyArray<string>,
  directory: string,
  env: NodeJS.ProcessEnv,
  input = "",
  user: { readonly uid?: number; readonly gid?: number } = {}
) =>
  Effect.acquireRelease(
    Effect.sync((): Running => {
      const child = spawn(command, args, { cwd: directory, env, stdio: ["pipe", "pipe", "pipe"], ...user })
      let stdout = ""
      let stderr = ""
      // A command may exit before it has read its input; it has then reported why.
      child.stdin.on("error", () => {}).end(input)
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        stdout += chunk
      })
      child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
        stderr += chunk
      })
      const exit = new Promise<number | string>((resolve) => {
        child.once("close", (code, signal) => resolve(code ?? signal ?? "unknown"))
        // A missing program never exits.
        child.once("error", (error) => {
          stderr += String(error)
          resolve(error.message)
        })
      })
      return { process: child, stdout: () => stdout, stderr: () => stderr, exit }
    }),
    ({ exit, process: child }) =>
      Effect.promise(() => {
        child.kill("SIGKILL")
        return exit
      })
  )

/** Waits for the end of a process. Returns its exit and everything it printed. */
export const end = ({ exit, stderr, stdout }: Running) =>
  Effect.map(
    Effect.promise(() => exit),
    (code) => ({ code, stdout: stdout(), stderr: stderr() })
  )

/** Waits for the end of a process, which must succeed. Returns its standard output. */
export const finished = (running: Running) =>
  Effect.flatMap(end(running), ({ code, stderr, stdout }) =>
    code === 0 ? Effect.succeed(stdout) : Effect.die(new Error(`Ended with ${code}: ${stderr}${stdout}`))
  )

/** Runs a command with the variables of this process and others. Returns its standard output. */
export const outputOf = (
  command: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
  directory = process.cwd()
) => Effect.scoped(Effect.flatMap(startCommand(command, args, directory, { ...process.env, ...env }), finished))

/** Starts the command line in a folder. */
export const start = (
  directory: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  input?: string
) => startCommand(process.execPath, [main, ...args], directory, { HOME: directory, ...env }, input)

/** Runs a command to its end. */
export const run = (
  directory: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
  input?: string
) => Effect.scoped(Effect.flatMap(start(directory, args, env, input), end))

/** A server process that is listening. */
export interface Serving extends Running {
  readonly url: string
  readonly port: number
}

const parseLine = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

/** The log lines of a server, parsed. */
export const logLines = (running: Running): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  running
    .stderr()
    .split("\n")
    // What follows the last line break is still being written.
    .slice(0, -1)
    .map((line) => parseLine(line))

/** The address of a server's probes and metrics, which needs ADMIN_PORT. */
export const adminOf = (server: Running): string =>
  String(logLines(server).find(({ message }) => message === "listening")?.["admin_url"])

/**
 * Starts a server on a free port, as an argument of the command `under` if there is one, and waits until it listens. It
 * is of this build, or of another one whose program is given.
 */
export const serve = Effect.fnUntraced(function* (
  directory: string,
  env: Readonly<Record<string, string>> = {},
  under: ReadonlyArray<string> = [],
  program: string = main
) {
  const [command, ...args] = [...under, process.execPath, program, "serve"]
  const running = yield* startCommand(command, args, directory, {
    HOME: directory,
    APP_ENV: "test",
    PORT: "0",
    // A test has few keys for all its load.
    KEY_REQUESTS_PER_SECOND: "1000000",
    ...env
  })
  yield* untilPrinted(running, '"message":"listening"')
  const [, url = ""] = /"url":"(http:[^"]+)"/.exec(running.stderr()) ?? []
  return { ...running, url, port: Number(new URL(url).port) }
})

/** The longest wait for a condition, in milliseconds: far more than a busy machine needs. */
const longestWait = 60_000

/** Waits until a process has printed a text. Dies with its output if it ends before it has, or after a minute. */
export const untilPrinted = (running: Running, text: string): Effect.Effect<void> => {
  const printed = untilFound(
    Effect.sync(() => running.stdout() + running.stderr()),
    (output) => output.includes(text),
    text
  )
  const ended = Effect.flatMap(end(running), ({ code, stderr, stdout }) =>
    (stdout + stderr).includes(text)
      ? Effect.void
      : Effect.die(new Error(`Ended with ${code} without printing ${text}: ${stderr}${stdout}`))
  )
  return Effect.asVoid(Effect.raceFirst(printed, ended))
}

/** Waits until a condition holds; dies after a minute. */
export const until = (condition: () => boolean): Effect.Effect<void> =>
  Effect.asVoid(untilFound(Effect.sync(condition), Boolean, String(condition)))

/** Repeats `look` until its result is one that `isFound` accepts, and returns it; dies with the last one after a minute. */
export const untilFound = <A, E, R>(
  look: Effect.Effect<A, E, R>,
  isFound: (found: A) => boolean,
  condition = String(isFound)
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const begun = performance.now()
    const again: Effect.Effect<A, E, R> = Effect.flatMap(look, (found) => {
      if (isFound(found)) return Effect.succeed(found)
      const waited = performance.now() - begun
      // What takes seconds is not looked at as often as what takes milliseconds.
      if (waited < longestWait) return Effect.andThen(realPause(waited < 1000 ? 10 : 50), again)
      return Effect.die(new Error(`After a minute this still does not hold: ${condition}; last: ${inspect(found)}`))
    })
    return again
  })

const realPause = (millis: number) => Effect.promise(() => new Promise((resolve) => setTimeout(resolve, millis)))

/** Sends a signal and waits until the process has ended. Returns how it ended. */
export const stop = Effect.fnUntraced(function* ({ exit, process: child }: Running, signal: NodeJS.Signals) {
  child.kill(signal)
  return { code: yield* Effect.promise(() => exit) }
})
