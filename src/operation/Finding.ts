import { shorten, wrap } from "../cli/Layout.ts"
import { lineOf } from "../cli/UserFailures.ts"

/** The result of a check. A `wrong` finding must be fixed; a `note` may be intended. */
export interface Finding {
  readonly about: string
  readonly state: "ok" | "note" | "wrong"
  readonly found: string
  /** The remedy, and the words of a command to run. */
  readonly advice?: string
  readonly type?: ReadonlyArray<string>
}

export const ok = (about: string, found: string): Finding => ({ about, state: "ok", found })
export const note = (about: string, found: string, advice?: string): Finding => ({
  about,
  state: "note",
  found,
  ...(advice === undefined ? {} : { advice })
})
export const wrong = (about: string, found: string, advice: string, type?: ReadonlyArray<string>): Finding => ({
  about,
  state: "wrong",
  found,
  advice,
  ...(type === undefined ? {} : { type })
})

/** Findings for people, a few lines each. */
export const showFindings = (findings: ReadonlyArray<Finding>, width: number): string =>
  findings
    .flatMap(({ about, advice, found, state, type }) => {
      const indentation = " ".repeat(20)
      return [
        ...wrap(found, width, `${state.padEnd(6)}  ${shorten(about, 10).padEnd(10)}  `),
        ...(advice === undefined ? [] : wrap(advice, width, indentation)),
        ...(type === undefined ? [] : [`${indentation}Type: ${lineOf(type)}`])
      ]
    })
    .join("\n")
