import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { delimiter, dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryDirectory } from "../support/Application.ts"
import { lacksTemporaryPrograms } from "../support/Machine.ts"
import { end, startCommand, until } from "../support/Process.ts"
import { slowly } from "../support/slowly.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** A fake npm that records its arguments and pretends to install and build; with a file "hold" it never ends. */
const npm = `#!/bin/sh
echo "$@" >> npm.log
echo $$ > npm.pid
while [ -e hold ]; do sleep 0.05; done
case "$1" in
  ci) rm -rf node_modules && mkdir -p node_modules/node/bin && touch node_modules/node/bin/node
    cp $([ "$2" = --omit=dev ] && echo run.json || echo package-lock.json) node_modules/.package-lock.json ;;
  run) node --input-type=module --eval '
    import { hashOfPatches, hashOfSources } from "./scripts/inputs.mjs"
    import { mkdirSync, writeFileSync } from "node:fs"
    mkdirSync("dist", { recursive: true })
    writeFileSync("node_modules/.patches", hashOfPatches())
    writeFileSync("dist/.build", hashOfSources() + "\\n")' ;;
esac
`
const entry = (version: string, rest: object = {}) => ({ version, integrity: `sha512-${version}`, ...rest })
const runPackages = { "": {}, "node_modules/effect": entry("4.1.0") }
const allPackages = {
  ...runPackages,
  "node_modules/vitest": entry("5.1.1", { dev: true }),
  "node_modules/only-elsewhere": entry("1.0.0", { optional: true })
}

/** A new clone with few packages and one source file, and a function that runs its setup with an npm that installs nothing. */
const clone = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  for (const name of ["clients", "docs", "package.json", "scripts"]) {
    cpSync(`${root}${name}`, `${directory}/${name}`, { recursive: true })
  }
  mkdirSync(`${directory}/src`)
  cpSync(`${root}src/main.ts`, `${directory}/src/main.ts`)
  writeFileSync(`${directory}/package-lock.json`, JSON.stringify({ packages: allPackages }))
  writeFileSync(`${directory}/run.json`, JSON.stringify({ packages: runPackages }))
  mkdirSync(`${directory}/bin`)
  writeFileSync(`${directory}/bin/npm`, npm, { mode: 0o755 })
  const PATH = [`${directory}/bin`, dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter)
  const start = (...args: ReadonlyArray<string>) =>
    startCommand(process.execPath, ["scripts/setup.mjs", ...args], directory, { PATH })
  const setup = (...args: ReadonlyArray<string>) => Effect.flatMap(start(...args), end)
  const calls = () => {
    const text = existsSync(`${directory}/npm.log`) ? readFileSync(`${directory}/npm.log`, "utf8") : ""
    rmSync(`${directory}/npm.log`, { force: true })
    return text.split("\n").flatMap((line) => (line === "" ? [] : [line.split(" --no-")[0]]))
  }
  return { directory, start, setup, calls }
})

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const build = "run build --silent"

describe.skipIf(process.platform === "win32" || lacksTemporaryPrograms())("scripts/setup.mjs", slowly, () => {
  it.live("installs and builds once, and again only what has changed", () =>
    Effect.gen(function* () {
      const { calls, directory, setup } = yield* clone
      assert.strictEqual((yield* setup()).code, 0)
      assert.deepStrictEqual(calls(), ["ci --include=dev", build])
      assert.deepStrictEqual(yield* setup(), { code: 0, stdout: "", stderr: "" })
      assert.deepStrictEqual(calls(), [])
      writeFileSync(`${directory}/src/main.ts`, "// changed")
      yield* setup()
      assert.deepStrictEqual(calls(), [build])
      writeFileSync(`${directory}/scripts/patches/another.patch`, "")
      yield* setup()
      assert.deepStrictEqual(calls(), ["ci --include=dev", build])
      const packages = { ...allPackages, "node_modules/effect": entry("4.2.0") }
      writeFileSync(`${directory}/package-lock.json`, JSON.stringify({ packages }))
      yield* setup()
      assert.deepStrictEqual(calls(), ["ci --include=dev", build])
    })
  )

  it.live("installs only what is needed to run, and the rest for other scripts", () =>
    Effect.gen(function* () {
      const { calls, setup } = yield* clone
      yield* setup("--omit=dev")
      assert.match(calls().join(), /^ci --omit=dev( --ignore-scripts)?,run build --silent$/)
      yield* setup("--omit=dev")
      assert.deepStrictEqual(calls(), [])
      yield* setup()
      assert.deepStrictEqual(calls(), ["ci --include=dev", build])
      yield* setup("--omit=dev")
      assert.deepStrictEqual(calls(), [])
    })
  )

  it.live("leaves an installation by somebody else alone", () =>
    Effect.gen(function* () {
      const { calls, directory, setup } = yield* clone
      mkdirSync(`${directory}/node_modules/node/bin`, { recursive: true })
      writeFileSync(`${directory}/node_modules/node/bin/node`, "")
      cpSync(`${directory}/package-lock.json`, `${directory}/node_modules/.package-lock.json`)
      yield* setup("--omit=dev")
      assert.deepStrictEqual(calls(), [build])
      yield* setup()
      assert.deepStrictEqual(calls(), [])
    })
  )

  it.live("is done by one of several concurrent runs; the others wait and say so", () =>
    Effect.gen(function* () {
      const { calls, directory, start } = yield* clone
      writeFileSync(`${directory}/hold`, "")
      const first = yield* start()
      yield* until(() => existsSync(`${directory}/npm.log`))
      const others = [yield* start(), yield* start("--omit=dev")]
      for (const { stderr } of others) yield* until(() => stderr().includes("\n"))
      rmSync(`${directory}/hold`)
      for (const running of [first, ...others]) assert.strictEqual((yield* end(running)).code, 0)
      for (const { stderr } of others) {
        assert.isTrue(stderr().startsWith(`Waiting for process ${first.process.pid}, which sets up this folder …\n`))
      }
      assert.deepStrictEqual(calls(), ["ci --include=dev", build])
    })
  )

  it.live("stops npm when it is stopped, and the next setup starts over", () =>
    Effect.gen(function* () {
      const { calls, directory, setup, start } = yield* clone
      for (const signal of ["SIGTERM", "SIGINT"] as const) {
        writeFileSync(`${directory}/hold`, "")
        rmSync(`${directory}/npm.pid`, { force: true })
        const first = yield* start()
        yield* until(() => existsSync(`${directory}/npm.pid`) && readFileSync(`${directory}/npm.pid`, "utf8") !== "")
        const pid = Number(readFileSync(`${directory}/npm.pid`, "utf8"))
        first.process.kill(signal)
        assert.strictEqual((yield* end(first)).code, 1)
        yield* until(() => !isRunning(pid))
      }
      rmSync(`${directory}/hold`)
      calls()
      assert.strictEqual((yield* setup()).code, 0)
      assert.deepStrictEqual(calls(), ["ci --include=dev", build])
    })
  )
})
