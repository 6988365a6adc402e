import { formCalculation, listCalculation } from "./calculator/calculatedPages.ts"
import * as forecast from "./forecast/computations.ts"
import { briefing } from "./mcp/CampaignsBrief.ts"
import { messageReading } from "./mcp/McpMessage.ts"
import { serveWorker } from "./workers/serveWorker.ts"

// All computations of worker threads.
serveWorker([...Object.values(forecast), messageReading, briefing, formCalculation, listCalculation])
