import { openAt, openNames } from "../../../src/campaign/Rates.ts"
import { code, withCode, type Tables } from "../../docTables/Page.ts"

export const progress: Tables = {
  progress: [
    [["in `open`", "what it counts"], ...openNames.map((name) => [code(name), withCode(openAt(name).description)])]
  ]
}
