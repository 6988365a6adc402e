import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import packageJson from "../../../package.json" with { type: "json" }
import { wheel } from "../../../scripts/clients/wheel.mjs"
import { packClient } from "../../../src/extensions/guide/ClientPackages.ts"
import { asServed } from "../../../src/extensions/guide/Guide.ts"
import { temporaryDirectory } from "../../support/Application.ts"
import { serveHere } from "../../support/Http.ts"
import { outputOf } from "../../support/Process.ts"
import { pip, python, pythonObstacle as obstacle } from "../../support/Python.ts"
import { slowly } from "../../support/slowly.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const client = `${root}clients/python`
const installed = `outreach_forecast-${packageJson.version}.dist-info`

/** The files below a folder, by their paths in it. */
const contents = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes("__pycache__"))
      .map(({ name, parentPath }) => [
        `${parentPath}/${name}`.slice(folder.length),
        readFileSync(`${parentPath}/${name}`, "utf8")
      ])
  )

describe("the wheel of the Python client", slowly, () => {
  it.live.skipIf(obstacle !== undefined)(
    "is installed by pip from the service, as the documentation says, and calls it by default",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const { url } = yield* serveHere()
        const [command = assert.fail("README.md does not say how to install it")] =
          /^pip install .*$/m.exec(readFileSync(`${root}README.md`, "utf8")) ?? []
        // Without its dependencies, which come from a registry, and not into the Python of this machine.
        const [, ...words] = command.replace("http://127.0.0.1:3000", url).split(" ")
        const [program, ...args] = [...pip, "--disable-pip-version-check", "--no-cache-dir", "--isolated", ...words]
        yield* outputOf(program, [...args, "--no-deps", "--no-compile", `--target=${directory}`])
        const address = { baseUrl: url, hasDemoKey: true }
        const source = Object.entries(contents(`${client}/src/outreach_forecast`))
        assert.deepStrictEqual(
          contents(`${directory}/outreach_forecast`),
          Object.fromEntries(source.map(([path, text]) => [path, asServed(text, address)]))
        )
        const read =
          "import importlib.metadata, json; print(json.dumps(dict(importlib.metadata.metadata('outreach-forecast'))))"
        const output = yield* outputOf(python, ["-c", read], { PYTHONPATH: directory })
        const metadata: unknown = JSON.parse(output)
        const project = readFileSync(`${client}/pyproject.toml`, "utf8")
        assert.deepInclude<unknown>(metadata, {
          Name: "outreach-forecast",
          Version: packageJson.version,
          Summary: /^description = "(.*)"$/m.exec(project)?.[1],
          "Requires-Python": /^requires-python = "(.*)"$/m.exec(project)?.[1],
          "License-Expression": "MIT",
          "License-File": "LICENSE"
        })
        assert.match(
          readFileSync(`${directory}/${installed}/licenses/LICENSE`, "utf8"),
          /^MIT License\n\nCopyright 2026 the authors of Outreach Forecast\n/
        )
        const readme = asServed(readFileSync(`${client}/README.md`, "utf8"), address)
        assert.isTrue(readFileSync(`${directory}/${installed}/METADATA`, "utf8").endsWith(`\n\n${readme}`))
        assert.strictEqual(readFileSync(`${directory}/${installed}/INSTALLER`, "utf8").trim(), "pip")
        const call = `from outreach_forecast import Client; print(Client(api_key="demo").usage()["state"])`
        const called = yield* outputOf(python, ["-c", call], { PYTHONPATH: directory })
        assert.strictEqual(called, "usable\n")
      })
  )

  it.effect("has the same bytes wherever and whenever it is packed", () =>
    Effect.gen(function* () {
      const address = { baseUrl: "https://forecast.example", hasDemoKey: false }
      const packed = Effect.map(packClient(wheel(client), address), (bytes) => Buffer.from(bytes))
      const here = yield* packed
      const zone = process.env["TZ"]
      process.env["TZ"] = "Asia/Tokyo"
      const elsewhere = yield* packed
      if (zone === undefined) delete process.env["TZ"]
      else process.env["TZ"] = zone
      assert.isTrue(here.equals(elsewhere))
    })
  )
})
