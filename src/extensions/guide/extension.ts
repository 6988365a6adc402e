import type { Extension } from "../../Extension.ts"
import { Layer } from "effect"
import * as ClientPackagesHttp from "./ClientPackagesHttp.ts"
import { indexPath } from "./Guide.ts"
import * as GuideHttp from "./GuideHttp.ts"

/** The guide, the reference, what LLMs read, and the packages of the clients. */
export const guide = {
  pages: Layer.merge(ClientPackagesHttp.layer, GuideHttp.layer),
  links: [
    { path: indexPath, label: "Guide", header: 2, footer: 1, errorPage: 5 },
    { path: "/docs", label: "Reference", header: 3, footer: 2, errorPage: 6 }
  ]
} as const satisfies Extension
