import { computations } from "./extensions.ts"
import * as forecast from "./forecast/computations.ts"
import { serveWorker } from "./workers/serveWorker.ts"

// All computations of worker threads.
serveWorker([...Object.values(forecast), ...computations])
