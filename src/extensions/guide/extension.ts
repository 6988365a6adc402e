import type { Extension } from "../../Extension.ts"
import { Layer } from "effect"
import * as ClientPackagesHttp from "../../site/ClientPackagesHttp.ts"
import * as GuideHttp from "../../site/GuideHttp.ts"

/** The guide, the reference, what LLMs read, and the packages of the clients. */
export const guide = {
  pages: Layer.merge(ClientPackagesHttp.layer, GuideHttp.layer)
} as const satisfies Extension
