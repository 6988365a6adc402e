import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Effect, Schema } from "effect"
import { python } from "./Python.ts"
import { runHere } from "./CommandLine.ts"
import { end, finished, type Running, startCommand } from "./Process.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** The examples of a page in one language, which are run one after another, and where to run them. */
export interface Examples {
  /** The name of the page in the failure of an example. */
  readonly page: string
  readonly codes: ReadonlyArray<string>
  /** A folder of their own. */
  readonly directory: string
  /** True if each example is independent instead of continuing the previous one. */
  readonly isolated: boolean
  /** The key in SERVICE_API_KEY. */
  readonly key: string
}

/** The output of each example of each page. */
export type Runner = (pages: ReadonlyArray<Examples>) => Effect.Effect<ReadonlyArray<ReadonlyArray<string>>>

/** True if this machine has curl. */
export const hasCurl = spawnSync("curl", ["--version"]).status === 0

/** Runs a curl command line in a shell. Returns its output. */
export const curl = (commandLine: string, directory: string, env: Readonly<Record<string, string>> = {}) =>
  Effect.scoped(
    Effect.flatMap(
      startCommand("sh", ["-c", commandLine], directory, { PATH: process.env["PATH"] ?? "", ...env }),
      finished
    )
  )

/** Runs curl examples as a shell reads them. */
export const runCurl: Runner = Effect.forEach(({ codes, directory, key }) =>
  Effect.forEach(codes, (code) => curl(code, directory, { SERVICE_API_KEY: key }))
)

/** Runs commands of the program, each of which must succeed. KEY stands for the key that was issued last. */
export const runCommands: Runner = Effect.forEach(({ codes, directory }) =>
  Effect.gen(function* () {
    const outputs: Array<string> = []
    let key = ""
    for (const code of codes) {
      const [, , ...words] = code.replace("KEY", key).match(/'[^']*'|\S+/g) ?? []
      const result = yield* runHere(
        directory,
        words.map((word) => word.replaceAll("'", ""))
      )
      if (result.code !== 0) return yield* Effect.die(new Error(`${code} ended with ${result.code}: ${result.stderr}`))
      key = /ofk_test_\w{8}/.exec(result.stdout)?.[0] ?? key
      outputs.push(result.stdout)
    }
    return outputs
  })
)

const pythonDriver = `
import contextlib, io, json, os, sys
pages = []
for page in json.load(sys.stdin):
    os.environ["SERVICE_API_KEY"] = page["key"]
    os.chdir(page["directory"])
    names = {"__name__": "__main__"}
    outputs = []
    for number, code in enumerate(page["codes"], 1):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(code, f"{page['page']}: example {number}", "exec"), {"__name__": "__main__"} if page["isolated"] else names)
        outputs.append(output.getvalue())
    pages.append(outputs)
print(json.dumps(pages))
`

const decodeOutputs = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Schema.Array(Schema.String))))

/** Runs Python examples with the client of this repository, all of them in one process. */
export const runPython: Runner = (pages) =>
  Effect.gen(function* () {
    const env = {
      PATH: process.env["PATH"] ?? "",
      PYTHONPATH: `${root}clients/python/src`,
      PYTHONDONTWRITEBYTECODE: "1"
    }
    const running = yield* startCommand(python, ["-c", pythonDriver], root, env, JSON.stringify(pages))
    return decodeOutputs(yield* finished(running))
  }).pipe(Effect.scoped)

const separator = "-----8<-----"
const separate = `\nconsole.log(${JSON.stringify(separator)})\n`

/** Writes examples as modules into their folder, with the package installed. Returns their names. */
export const writeModules = ({ codes, directory, isolated, page }: Examples): ReadonlyArray<string> => {
  mkdirSync(`${directory}/node_modules`, { recursive: true })
  if (!existsSync(`${directory}/node_modules/outreach-forecast`)) {
    symlinkSync(`${root}clients/typescript`, `${directory}/node_modules/outreach-forecast`)
  }
  const texts = codes.map((code) => code + separate)
  return (isolated ? texts : [texts.join("")]).map((text, i) => {
    const name = `${page.replaceAll(/\W+/g, "_")}_${i}.mts`
    writeFileSync(`${directory}/${name}`, text)
    return name
  })
}

/** Runs TypeScript examples with the client as the package exports it, all of them in one process. */
export const runTypeScript: Runner = (pages) =>
  Effect.gen(function* () {
    const code = pages.flatMap((page) => [
      `process.env.SERVICE_API_KEY = ${JSON.stringify(page.key)}`,
      `process.chdir(${JSON.stringify(page.directory)})`,
      ...writeModules(page).map((name) => `await import(${JSON.stringify(`${page.directory}/${name}`)})`)
    ])
    const running = yield* startCommand(process.execPath, ["--input-type=module", "--eval", code.join("\n")], root, {})
    const outputs = (yield* finished(running)).split(`${separator}\n`).slice(0, -1)
    return pages.map(({ codes }) => outputs.splice(0, codes.length))
  }).pipe(Effect.scoped)

/** The output of a check, whatever its exit code. */
const reportOf = <E, R>(command: Effect.Effect<Running, E, R>) =>
  Effect.scoped(Effect.map(Effect.flatMap(command, end), ({ stdout }) => stdout))

/** The compiler's errors in the modules of a folder, in strict mode; not those in declarations that they import. */
export const checkTypes = (directory: string, modules: ReadonlyArray<string>) => {
  const checks = ["--noEmit", "--strict", "--skipLibCheck"]
  const options = [...checks, "--target", "esnext", "--module", "nodenext", "--types", "node"]
  const command = startCommand(
    process.execPath,
    [`${root}node_modules/typescript/bin/tsc`, ...options, "--typeRoots", `${root}node_modules/@types`, ...modules],
    directory,
    {}
  )
  return reportOf(command)
}

/** The reports of pyright on the Python modules of a folder, which use the client of this repository. */
export const checkPythonTypes = (directory: string) => {
  const configuration = {
    extraPaths: [`${root}clients/python/src`],
    typeCheckingMode: "standard",
    // pandas has no types, and guessing them from its code takes longer than everything else.
    useLibraryCodeForTypes: false
  }
  writeFileSync(`${directory}/pyrightconfig.json`, JSON.stringify(configuration))
  const pyright = `${root}node_modules/pyright/index.js`
  const command = startCommand(
    process.execPath,
    [pyright, "--warnings", "-p", directory, "--pythonpath", python],
    directory,
    {
      PATH: process.env["PATH"] ?? ""
    }
  )
  return reportOf(command)
}
