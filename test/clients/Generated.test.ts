import { spawnSync } from "node:child_process"
import { symlinkSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { documentedAt } from "../../src/Api.ts"
import { temporaryDirectory } from "../support/Application.ts"
import { typesOf } from "../support/OpenApiTypeScript.ts"
import { obstacleBelow, python } from "../support/Python.ts"
import { slowly } from "../support/slowly.ts"

const modules = fileURLToPath(new URL("../../node_modules", import.meta.url))
const document = OpenApi.fromApi(documentedAt("https://forecast.example"))

const obstacle = obstacleBelow(11)
if (obstacle !== undefined) {
  if ((process.env["CI"] ?? "") !== "") throw new Error(`CI has to run the Python tests: ${obstacle}`)
  process.stderr.write(`\nThe test of openapi-python-client is skipped: ${obstacle}\n\n`)
}

/** The output of a command, which must succeed. */
const succeed = (command: string, args: ReadonlyArray<string>) => {
  const { error, status, stderr, stdout } = spawnSync(command, args, { encoding: "utf8" })
  assert.strictEqual(status, 0, `${String(error ?? "")}${stdout}${stderr}`)
  return `${stdout}${stderr}`
}

/** A caller that reads a response, and an error by its code. */
const caller = `import createClient from "openapi-fetch"
import type { paths } from "./api.ts"

const client = createClient<paths>({ baseUrl: "https://forecast.example", headers: { "x-api-key": "key" } })
const { data, error } = await client.POST("/api/v1/forecast", {
  body: { emails_sent: 5000, reply_rate: 5, positive_reply_rate: 30, meeting_booking_rate: 20, close_rate: 25 }
})
if (error === undefined) {
  const numbers: ReadonlyArray<number> = [data.estimated_clients, data.usage.credits_remaining]
  console.log(numbers)
} else if (error.code === "invalid_input") {
  const lines: ReadonlyArray<string> = error.errors.map(({ message, pointer }) => pointer + message)
  console.log(lines)
} else {
  const message: string = error.message
  // @ts-expect-error: only invalid input has a list of errors.
  console.log(message, error.errors.length)
}
`

const compilerOptions = {
  target: "ESNext",
  lib: ["ESNext", "DOM"],
  module: "NodeNext",
  moduleDetection: "force",
  types: [],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true
}

describe("a client generated from the OpenAPI document", slowly, () => {
  it.live("by openapi-typescript compiles, and narrows a problem to its field errors by its code", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      symlinkSync(modules, `${directory}/node_modules`, "junction")
      writeFileSync(`${directory}/package.json`, JSON.stringify({ type: "module" }))
      writeFileSync(`${directory}/tsconfig.json`, JSON.stringify({ compilerOptions, files: ["caller.ts"] }))
      writeFileSync(`${directory}/api.ts`, yield* Effect.promise(() => typesOf(document)))
      writeFileSync(`${directory}/caller.ts`, caller)
      succeed(process.execPath, [`${modules}/typescript/bin/tsc`, "--project", directory])
    })
  )

  it.live.skipIf(obstacle !== undefined)(
    "by openapi-python-client has everything except the CSV of many campaigns",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        writeFileSync(`${directory}/openapi.json`, JSON.stringify(document))
        // The generator's post-processing would only format the code.
        writeFileSync(`${directory}/config.json`, JSON.stringify({ post_hooks: [] }))
        const files = ["--path", `${directory}/openapi.json`, "--config", `${directory}/config.json`]
        const made = ["--meta", "none", "--output-path", `${directory}/made`]
        const printed = succeed(python, ["-m", "openapi_python_client", "generate", ...files, ...made])
        assert.deepStrictEqual(printed.match(/^(?:WARNING|ERROR|Unable|Unsupported).*$/gm)?.map(String), [
          "WARNING parsing POST /api/v1/forecasts within forecasts.",
          "Unsupported content type text/csv"
        ])
        succeed(python, ["-m", "compileall", "-q", `${directory}/made`])
      })
  )
})
