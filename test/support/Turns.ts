import { existsSync, readFileSync, rmSync } from "node:fs"
import { Effect, Schema } from "effect"
import { serve, until } from "./Process.ts"

const { href: turns } = new URL("turns.mjs", import.meta.url)

const decode = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ short: Schema.Finite, long: Schema.Array(Schema.Finite) }))
)

/**
 * The typical duration of a turn, in milliseconds: half of all time was spent in turns no longer than it. A single long
 * turn, because of garbage collection or a stalled machine, makes no difference; work done in one turn instead of many
 * does.
 */
const usualTurn = (text: string): number => {
  const { long, short } = decode(text)
  const half = long.reduce((sum, turn) => sum + turn, short) / 2
  let sum = short
  return long.toSorted((a, b) => a - b).find((turn) => (sum += turn) >= half) ?? 0
}

/** A server process, and a function that measures the typical turn of its event loop during an effect. */
export const serveWithTurns = Effect.fnUntraced(function* (
  directory: string,
  env: Readonly<Record<string, string>> = {}
) {
  const file = `${directory}/turns`
  const server = yield* serve(directory, { NODE_OPTIONS: `--import=${turns}`, TURNS: file, ...env })
  const signal = Effect.sync(() => server.process.kill("SIGUSR2"))
  const withTurns = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      yield* signal
      const result = yield* effect
      yield* signal
      yield* until(() => existsSync(file))
      const usual = usualTurn(readFileSync(file, "utf8"))
      rmSync(file)
      return { result, usual }
    })
  return { server, withTurns }
})
