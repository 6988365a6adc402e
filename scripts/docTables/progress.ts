import { openAt, openNames } from "../../src/campaign/Rates.ts"
import { code, withCode, written } from "./Page.ts"

export const progress = [
  written([
    ["in `open`", "what it counts"],
    ...openNames.map((name) => [code(name), withCode(openAt(name).description)])
  ])
]
