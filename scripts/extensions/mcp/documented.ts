import { makeTools } from "../../../src/extensions/mcp/Tools.ts"
import { code, type Tables } from "../../docTables/Page.ts"

/** Each tool of agents, with the costs that its description names. */
export const agents: Tables = {
  agents: [
    [
      ["tool", "what it is for", "costs"],
      ...makeTools().map(({ description, name, title }) => [
        code(name),
        title,
        /Costs ([^.]+)\./.exec(description)?.[1] ?? ""
      ])
    ]
  ]
}
