// Measures how often the 80% ranges hold, and prints the table of docs/certainty.md, and what it brings to test lists
// first, with 400 times as many campaigns. Simulates campaigns whose true
// rates vary by 0, 30 or 60% around the planned ones; the forecast knows the plan, and past campaigns or 800 emails of
// this one. A seed always gives the same table. For more: npm run calibrate -- --campaigns 10000 --seed 7
import { parseArgs } from "node:util"
import {
  calibrate,
  documented,
  head,
  knowledge,
  promisedTests,
  rowOf,
  testLists,
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
for (const variation of variations) {
  for (const known of knowledge) {
    console.log(
      line(rowOf(variation, known, calibrate(variation, known, Number(values.campaigns), Number(values.seed))))
    )
  }
}

console.log("\nTest lists first: replies divided by those without a test.")
for (const { emails_each, factor, lists } of promisedTests()) {
  const simulated = testLists(lists, emails_each, 400 * Number(values.campaigns), Number(values.seed))
  console.log(`${lists} lists, ${emails_each} emails each: promised ${factor}, simulated ${simulated.toFixed(4)}`)
}
