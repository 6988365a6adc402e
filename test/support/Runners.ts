import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { STATUS_CODES } from "node:http"
import { fileURLToPath } from "node:url"
import { Effect, Schema } from "effect"
import { python } from "./Python.ts"
import { curl, run, type Running, startCommand } from "./Process.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Examples of one language that are run one after the other, and where. */
export interface Examples {
  readonly codes: ReadonlyArray<string>
  /** A folder of their own. */
  readonly directory: string
  /** Whether each stands by itself, rather than going on where the one before it ended. */
  readonly isolated: boolean
  /** The key in SERVICE_API_KEY. */
  readonly key: string
}

type Outputs = Effect.Effect<ReadonlyArray<string>>

const finished = ({ exit, stderr, stdout }: Running) =>
  Effect.promise(async () => {
    const code = await exit
    if (code !== 0) throw new Error(`Ended with ${code}: ${stderr()}${stdout()}`)
    return stdout()
  })

/** What a curl command line prints, where the machine has no curl. */
const imitatedCurl = (code: string, key: string) =>
  Effect.map(curl(code.trim().replaceAll("$SERVICE_API_KEY", key)), ({ headers, status, text }) => {
    if (!/ -\w*i/.test(code)) return text
    const head = [...headers].map(([name, value]) => `${name}: ${value}`)
    return `${[`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head].join("\r\n")}\r\n\r\n${text}`
  })

const hasCurl = spawnSync("curl", ["--version"]).status === 0

/** What each curl example prints, as a shell reads it. */
export const runCurl = ({ codes, directory, key }: Examples): Outputs =>
  Effect.forEach(codes, (code) => {
    if (!hasCurl) return imitatedCurl(code, key)
    const env = { PATH: process.env["PATH"] ?? "", SERVICE_API_KEY: key }
    return Effect.scoped(Effect.flatMap(startCommand("sh", ["-c", code], directory, env), finished))
  })

/** What each command of the program prints; each has to end well. KEY stands for the key that was issued last. */
export const runCommands = ({ codes, directory }: Examples): Outputs =>
  Effect.gen(function* () {
    const outputs: Array<string> = []
    let key = ""
    for (const code of codes) {
      const [, , ...words] = code.replace("KEY", key).match(/'[^']*'|\S+/g) ?? []
      const result = yield* run(
        directory,
        words.map((word) => word.replaceAll("'", ""))
      )
      if (result.code !== 0) return yield* Effect.die(new Error(`${code} ended with ${result.code}: ${result.stderr}`))
      key = /ofk_test_\w{8}/.exec(result.stdout)?.[0] ?? key
      outputs.push(result.stdout)
    }
    return outputs
  })

const pythonDriver = `
import contextlib, io, json, sys
given = json.load(sys.stdin)
names = {"__name__": "__main__"}
outputs = []
for number, code in enumerate(given["codes"], 1):
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, f"example {number}", "exec"), {"__name__": "__main__"} if given["isolated"] else names)
    outputs.append(output.getvalue())
print(json.dumps(outputs))
`

const decodeOutputs = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Schema.String)))

/** What each Python example prints, with the client of this repository. */
export const runPython = ({ codes, directory, isolated, key }: Examples): Outputs =>
  Effect.scoped(
    startCommand(
      python,
      ["-c", pythonDriver],
      directory,
      {
        PATH: process.env["PATH"] ?? "",
        PYTHONPATH: `${root}clients/python/src`,
        PYTHONDONTWRITEBYTECODE: "1",
        SERVICE_API_KEY: key
      },
      JSON.stringify({ codes, isolated })
    ).pipe(
      Effect.flatMap(finished),
      Effect.map((text) => decodeOutputs(text))
    )
  )

const separator = "-----8<-----"
const separate = `\nconsole.log(${JSON.stringify(separator)})\n`

/** Writes examples as modules of a folder where the package is installed, and returns their names. */
export const writeModules = ({ codes, directory, isolated }: Examples, prefix = "example"): ReadonlyArray<string> => {
  mkdirSync(`${directory}/node_modules`, { recursive: true })
  if (!existsSync(`${directory}/node_modules/outreach-forecast`)) {
    symlinkSync(root, `${directory}/node_modules/outreach-forecast`)
  }
  const texts = codes.map((code) => code + separate)
  return (isolated ? texts : [texts.join("")]).map((text, i) => {
    const name = `${prefix}-${i}.mts`
    writeFileSync(`${directory}/${name}`, text)
    return name
  })
}

/** What each TypeScript example prints, with the client as the package exports it. */
export const runTypeScript = (examples: Examples): Outputs => {
  const { directory, key } = examples
  const imports = writeModules(examples).map((name) => `await import("./${name}")\n`)
  writeFileSync(`${directory}/main.mts`, imports.join(""))
  return Effect.scoped(
    startCommand(process.execPath, ["main.mts"], directory, { SERVICE_API_KEY: key }).pipe(
      Effect.flatMap(finished),
      Effect.map((text) => text.split(`${separator}\n`).slice(0, -1))
    )
  )
}

/** What the compiler finds wrong with modules of a folder, in strict mode. */
export const checkTypes = (directory: string, modules: ReadonlyArray<string>) => {
  const options = ["--noEmit", "--strict", "--target", "esnext", "--module", "nodenext", "--types", "node"]
  const command = startCommand(
    process.execPath,
    [`${root}node_modules/typescript/bin/tsc`, ...options, "--typeRoots", `${root}node_modules/@types`, ...modules],
    directory,
    {}
  )
  return Effect.scoped(
    Effect.flatMap(command, ({ exit, stdout }) =>
      Effect.map(
        Effect.promise(() => exit),
        () => stdout()
      )
    )
  )
}

/** What pyright reports of the Python modules of a folder, which use the client of this repository. */
export const checkPythonTypes = (directory: string) => {
  const configuration = { extraPaths: [`${root}clients/python/src`], typeCheckingMode: "standard" }
  writeFileSync(`${directory}/pyrightconfig.json`, JSON.stringify(configuration))
  const pyright = `${root}node_modules/pyright/index.js`
  const command = startCommand(process.execPath, [pyright, "--warnings", "-p", directory], directory, {
    PATH: process.env["PATH"] ?? ""
  })
  return Effect.scoped(
    Effect.flatMap(command, ({ exit, stdout }) =>
      Effect.map(
        Effect.promise(() => exit),
        () => stdout()
      )
    )
  )
}
