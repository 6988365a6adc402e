import { calculatedViews } from "./calculator/calculatedViews.ts"
import { embedView } from "./calculator/views/Embed.ts"
import { reportView } from "./calculator/views/Report.ts"
import * as forecast from "./forecast/computations.ts"
import { briefing } from "./mcp/CampaignsBrief.ts"
import { messageReading } from "./mcp/McpMessage.ts"
import * as metering from "./metering/computations.ts"
import { serveWorker } from "./workers/serveWorker.ts"

// All computations of worker threads.
serveWorker([
  ...Object.values(forecast),
  ...Object.values(metering),
  messageReading,
  briefing,
  calculatedViews,
  reportView,
  embedView
])
