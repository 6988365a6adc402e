// Installs the dependencies when they are missing or older than package-lock.json, so that every npm script works on a
// fresh clone. Runs on the machine's own Node (20 or newer); everything after it runs on the Node 24 that it installs.
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

process.chdir(fileURLToPath(new URL("..", import.meta.url)))

const stamp = "node_modules/.setup-stamp"
const patches = readdirSync("scripts/patches").map((name) => `scripts/patches/${name}`)
const wanted = ["package-lock.json", ...patches]
  .reduce((hash, file) => hash.update(readFileSync(file)), createHash("sha256"))
  .digest("hex")

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) {
  console.error("Installing dependencies (npm ci) …")
  execFileSync("npm", ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"], {
    stdio: ["ignore", 2, 2]
  })
  writeFileSync(stamp, wanted)
}
