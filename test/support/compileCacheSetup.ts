import { enableCompileCache } from "node:module"
import { fileURLToPath } from "node:url"

// A worker need not compile what an earlier run has compiled. NODE_COMPILE_CACHE would also reach the processes that tests
// start, some of them in new folders each time, whose code would pile up.
enableCompileCache(fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url)))
