import { Effect } from "effect"
import { curl, run } from "./Process.ts"

/** Examples of one language that are run one after the other, and where. */
export interface Examples {
  readonly codes: ReadonlyArray<string>
  /** A folder of their own. */
  readonly directory: string
  /** The key in SERVICE_API_KEY. */
  readonly key: string
}

type Outputs = Effect.Effect<ReadonlyArray<string>>

/** What each curl example prints. */
export const runCurl = ({ codes, key }: Examples): Outputs =>
  Effect.forEach(codes, (code) =>
    Effect.map(curl(code.trim().replaceAll("$SERVICE_API_KEY", key)), ({ headers, status, text }) => {
      if (!/ -\w*i/.test(code)) return text
      const head = [...headers].map(([name, value]) => `${name}: ${value}`)
      return `${[`HTTP/1.1 ${status} ${status === 200 ? "OK" : ""}`, ...head].join("\r\n")}\r\n\r\n${text}`
    })
  )

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
