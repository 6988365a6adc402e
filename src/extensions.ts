import { SubKeyProblem } from "./extensions/subkeys/SubKeysProblems.ts"
import { goalReaching } from "./extensions/goals/goalReaching.ts"
import { progressing } from "./extensions/progress/progressing.ts"
import { listForecasting } from "./extensions/lists/listForecasting.ts"
import { briefing } from "./extensions/mcp/CampaignsBrief.ts"
import { messageReading } from "./extensions/mcp/McpMessage.ts"
import { formCalculation, listCalculation } from "./extensions/calculator/calculatedPages.ts"
import { account } from "./extensions/account/extension.ts"
import { benchmarks } from "./extensions/benchmarks/extension.ts"
import { calculator } from "./extensions/calculator/extension.ts"
import { goals } from "./extensions/goals/extension.ts"
import { guide } from "./extensions/guide/extension.ts"
import { lists } from "./extensions/lists/extension.ts"
import { mcp } from "./extensions/mcp/extension.ts"
import { notices } from "./extensions/notices/extension.ts"
import { operator } from "./extensions/operator/extension.ts"
import { privacy } from "./extensions/privacy/extension.ts"
import { progress } from "./extensions/progress/extension.ts"
import { stripe } from "./extensions/stripe/extension.ts"
import { subKeys } from "./extensions/subkeys/extension.ts"

/** Everything that stands on the service. To leave one out, delete its line and its folder. */
export const extensions = [
  lists,
  goals,
  progress,
  benchmarks,
  calculator,
  guide,
  account,
  subKeys,
  notices,
  mcp,
  stripe,
  privacy,
  operator
] as const

/** The problems of their failures, by tag: written out, because the compiler reports a failure without one by name. */
export const problems = SubKeyProblem

/** Their computations of worker threads, apart from the list, so that a thread loads nothing else. */
export const computations = [
  goalReaching,
  progressing,
  listForecasting,
  messageReading,
  briefing,
  formCalculation,
  listCalculation
]
