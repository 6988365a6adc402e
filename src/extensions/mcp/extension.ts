import type { Extension } from "../../Extension.ts"
import * as McpHttp from "./McpHttp.ts"

/** Agents: the service as tools of the Model Context Protocol. */
export const mcp = {
  routes: McpHttp.layer
} as const satisfies Extension
