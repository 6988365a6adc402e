import type { Extension } from "../../Extension.ts"
import { ListGroup } from "./ListsApi.ts"
import * as ListsHttp from "./ListsHttp.ts"

/** Lists: many campaigns in one request, forecast, added up and compared. */
export const lists = {
  groups: [{ after: "forecasts", group: ListGroup }],
  routes: ListsHttp.layer
} as const satisfies Extension
