// The build puts the value of this module into the client, in place of the declarations that it is computed from.
import { Record } from "effect"
import { Authentication } from "../http/api/Authentication.ts"
import { operations } from "./Operations.ts"

/** Method and path of each operation. */
export const routes = Record.map(operations, ({ method, path }) => ({ method, path }))

/** The header that carries the API key. */
export const keyHeader = Authentication.security.apiKey.key
