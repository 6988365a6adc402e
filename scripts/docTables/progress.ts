import { openAt, openNames } from "../../src/campaign/Rates.ts"
import { code, withCode } from "./Page.ts"

export const progress = [
  [["in `open`", "what it counts"], ...openNames.map((name) => [code(name), withCode(openAt(name).description)])]
]
