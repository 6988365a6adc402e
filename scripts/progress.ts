// Checks the computed ends of a campaign in flight: draws ends of the contract's example at random, person by person,
// and compares their shares with the chances. A seed always gives the same result; exits with status 1 if a share is
// more than four standard errors off. For more: npm run progress -- --ends 1000000 --seed 7
import { parseArgs } from "node:util"
import { endsOf } from "../src/forecast/progress/InFlight.ts"
import { underWay } from "../test/support/InFlight.ts"
import { seeded } from "../test/support/Seeded.ts"
import { simulateEnds, worstError } from "../test/support/SimulatedEnds.ts"

const { values } = parseArgs({
  options: { ends: { type: "string", default: "400000" }, seed: { type: "string", default: "1" } }
})
const emailsLeft = 3000
const ends = simulateEnds(underWay, emailsLeft, { random: seeded(Number(values.seed)), ends: Number(values.ends) })
const { counts } = endsOf(underWay)(emailsLeft).clients
console.log("clients   computed  simulated: the chance of at least this many")
for (let count = 2; count <= 16; count += 2) {
  const share = ends.filter((end) => end >= count).length / ends.length
  console.log(String(count).padStart(7) + counts.atLeast(count).toFixed(5).padStart(11) + share.toFixed(5).padStart(11))
}
const worst = worstError(ends, (count) => counts.atLeast(count), 25)
console.log(`${ends.length} ends, seed ${values.seed}: at most ${worst.toFixed(2)} standard errors off`)
if (worst > 4) process.exitCode = 1
