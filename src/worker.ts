import { calculatedViews } from "./calculator/calculatedViews.ts"
import { embedView } from "./calculator/views/Embed.ts"
import { reportView } from "./calculator/views/Report.ts"
import * as forecast from "./forecast/computations.ts"
import { briefing } from "./mcp/CampaignsBrief.ts"
import { messageReading } from "./mcp/McpMessage.ts"
import { serveWorker } from "./workers/serveWorker.ts"

// All computations of worker threads.
serveWorker([...Object.values(forecast), messageReading, briefing, calculatedViews, reportView, embedView])
