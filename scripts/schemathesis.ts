// Runs Schemathesis from PyPI with all of its checks against a fresh server: it generates requests from the OpenAPI
// document, valid and invalid ones, singly and along the document's links. Exits with status 1 if it finds anything.
// Its own options follow two hyphens: npm run schemathesis -- --seed 7 --max-examples 1000
import { spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Schema } from "effect"
import { temporaryDirectory } from "../test/support/Application.ts"
import { run, serve, until } from "../test/support/Process.ts"
import { pythonEnvironment } from "./python/environment.mjs"

const folder = fileURLToPath(new URL("schemathesis", import.meta.url))

/** Limits per client and key that are high enough for requests to be answered and not refused. */
const limits = {
  KEY_REQUESTS_PER_SECOND: "1000000",
  WRONG_KEYS_PER_MINUTE: "1000000",
  ROTATIONS_PER_HOUR: "1000",
  UNPAID_ORDERS_PER_KEY: "1000",
  // The tool sets the client address of each request.
  TRUSTED_PROXIES: "127.0.0.1"
}

/** The operations tested with one key. Those that end a key come last, with keys of their own. */
const runs = [
  {
    name: "all but rotate and revoke",
    options: ["--exclude-operation-id", "rotate", "--exclude-operation-id", "revoke"]
  },
  { name: "rotate", options: ["--include-operation-id", "rotate", "--include-operation-id", "usage"] },
  { name: "revoke", options: ["--include-operation-id", "revoke", "--phases", "examples,coverage,fuzzing"] }
]

/** The token of the confirmation link in the mail to someone who requests a key. */
const confirmationToken = Effect.fnUntraced(function* (url: string, directory: string) {
  const body = JSON.stringify({ name: "Ada", email: "ada@links.example", company: "Example" })
  const headers = { "content-type": "application/json" }
  const { status } = yield* Effect.promise(() =>
    fetch(`${url}/api/v1/access-requests`, { method: "POST", headers, body })
  )
  if (status !== 202) return yield* Effect.die(`The request for a key was answered with ${status}`)
  const mails = `${directory}/data/mail`
  const texts = () =>
    existsSync(mails) ? readdirSync(mails).map((name) => readFileSync(`${mails}/${name}`, "utf8")) : []
  const found = () =>
    /\/confirm\/([\w-]{43})/.exec(
      texts()
        .join("")
        .replaceAll(/=\r?\n/g, "")
    )?.[1]
  yield* until(() => found() !== undefined)
  return found() ?? ""
})

const decodeIssued = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ api_key: Schema.String })))

/** Issues a key with more credits than a run needs. */
const issueKey = Effect.fnUntraced(function* (directory: string, name: string) {
  const owner = ["--name", name, "--email", `${name}@example.com`, "--company", "Example"]
  const { stdout } = yield* run(directory, ["keys", "issue", ...owner, "--credits", "1000000000", "--json"])
  return decodeIssued(stdout).api_key
})

/** Runs the tool, passes on its output, and returns its exit status. The log of the server is read in the meantime. */
const runTool = (command: string, args: ReadonlyArray<string>, cwd: string, variables: NodeJS.ProcessEnv) =>
  Effect.callback<number | null>((resume) => {
    const env = { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: "1", ...variables }
    const child = spawn(command, args, { cwd, stdio: "inherit", env })
    child.once("error", (error) => resume(Effect.die(error)))
    child.once("close", (code) => resume(Effect.succeed(code)))
    return Effect.sync(() => child.kill())
  })

const main = Effect.gen(function* () {
  const { obstacle, python } = pythonEnvironment(`${folder}/requirements.txt`)
  if (obstacle !== undefined) return yield* Effect.die(`Schemathesis cannot run: ${obstacle}`)
  const directory = yield* temporaryDirectory
  const { url } = yield* serve(directory, limits)
  const CONFIRMATION_TOKEN = yield* confirmationToken(url, directory)
  const tool = `${dirname(python)}/schemathesis`
  const shared = ["--config-file", `${folder}/schemathesis.toml`, "run", `${url}/openapi.json`]
  const failed: Array<string> = []
  for (const [index, { name, options }] of runs.entries()) {
    const SERVICE_API_KEY = yield* issueKey(directory, `run${index}`)
    const args = [...shared, ...options, ...process.argv.slice(2)]
    const code = yield* runTool(tool, args, directory, { SERVICE_API_KEY, CONFIRMATION_TOKEN })
    if (code !== 0) failed.push(name)
  }
  console.log(failed.length === 0 ? `${runs.length} runs, 0 findings` : `Findings in: ${failed.join(", ")}`)
  if (failed.length > 0) process.exitCode = 1
}).pipe(Effect.scoped)

NodeRuntime.runMain(main)
