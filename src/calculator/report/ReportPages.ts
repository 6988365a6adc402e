import type { HttpServerResponse } from "effect/http"
import { sheet } from "../../site/layout.ts"
import type { Html } from "../../text/html.ts"

/** `/report?…`: a forecast for printing. */
export const reportPage = (report: Html): HttpServerResponse.HttpServerResponse =>
  sheet("Campaign forecast", report, 200, { kind: "report", scripts: ["report.js"], styles: ["report.css"] })
