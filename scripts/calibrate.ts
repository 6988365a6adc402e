// Measures how often the 80% ranges hold, and prints the table of docs/certainty.md, and what it brings to test lists
// first, with 400 times as many campaigns. Simulates campaigns whose true rates vary by 0, 30 or 60% around the planned
// ones, or around a half or a third of the planned reply rate; the forecast knows the plan, and past campaigns. A seed always gives the same table. For more: npm run calibrate -- --campaigns 10000 --seed 7
import { parseArgs } from "node:util"
import {
  calibrate,
  documented,
  excesses,
  head,
  knowledge,
  promisedTests,
  rowOf,
  testLists,
  variationOfExcesses,
  variations
} from "./calibrate/Calibration.ts"

const { values } = parseArgs({
  options: {
    campaigns: { type: "string", default: String(documented.campaigns) },
    seed: { type: "string", default: String(documented.seed) }
  }
})

const line = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`

console.log(line(head))
console.log(line(head.map(() => "---")))
const rows = [
  ...variations.map((variation) => ({ variation, excess: 1 })),
  ...excesses.map((excess) => ({ variation: variationOfExcesses, excess }))
]
for (const { excess, variation } of rows) {
  for (const known of knowledge) {
    const calibration = calibrate(variation, known, Number(values.campaigns), Number(values.seed), excess)
    console.log(line(rowOf(variation, known, calibration, excess)))
  }
}

console.log("\nTest lists first: replies divided by those without a test.")
for (const { emails_each, factor, lists } of promisedTests()) {
  const simulated = testLists(lists, emails_each, 400 * Number(values.campaigns), Number(values.seed))
  console.log(`${lists} lists, ${emails_each} emails each: promised ${factor}, simulated ${simulated.toFixed(4)}`)
}
