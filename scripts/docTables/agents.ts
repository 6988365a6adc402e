import { benchmarksTool, comparisonTool, meteredTools, usageTool } from "../../src/mcp/Tools.ts"
import { code } from "./Page.ts"

const tools = [...meteredTools.map(({ tool }) => tool).toSpliced(1, 0, comparisonTool), benchmarksTool, usageTool]

/** Each tool of agents, with the costs that its description names. */
export const agents = [
  [
    ["tool", "what it is for", "costs"],
    ...tools.map(({ description = "", name, title = "" }) => [
      code(name),
      title,
      /Costs ([^.]+)\./.exec(description)?.[1] ?? ""
    ])
  ]
]
