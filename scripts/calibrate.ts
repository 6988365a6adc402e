// Measures how often the 80% ranges hold, writes the table of docs/certainty.md, and prints what it brings to test
// lists first, with 400 times as many campaigns. Simulates campaigns whose true rates vary by 0, 30 or 60% around the
// planned ones, or around a half or a third of the planned reply rate; the forecast knows the plan, and past campaigns.
// A seed always gives the same table. For more, which is only printed: npm run calibrate -- --campaigns 10000 --seed 7
import { readFileSync, writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { calibrate, documented, head, promisedTests, rowOf, rows, testLists } from "./calibrate/Calibration.ts"
import { withTable } from "./docTables/Page.ts"

const { values } = parseArgs({
  options: {
    campaigns: { type: "string", default: String(documented.campaigns) },
    seed: { type: "string", default: String(documented.seed) }
  }
})
const campaigns = Number(values.campaigns)
const seed = Number(values.seed)

const table = [head]
for (const row of rows) {
  const cells = rowOf(row, calibrate(row, campaigns, seed))
  console.log(cells.join(" | "))
  table.push(cells)
}
if (campaigns === documented.campaigns && seed === documented.seed) {
  const page = new URL("../docs/certainty.md", import.meta.url)
  writeFileSync(page, withTable(readFileSync(page, "utf8"), table))
}

console.log("\nTest lists first: replies divided by those without a test.")
for (const { emails_each, factor, lists } of promisedTests()) {
  const simulated = testLists(lists, emails_each, 400 * campaigns, seed)
  console.log(`${lists} lists, ${emails_each} emails each: promised ${factor}, simulated ${simulated.toFixed(4)}`)
}
