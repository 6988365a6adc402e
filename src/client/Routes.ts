// The build replaces this module with its value, so that the client does not contain the API's declarations.
import { Record } from "effect"
import { Authentication } from "../http/api/Authentication.ts"
import { operations } from "./Operations.ts"

/** Method and path of each operation. */
export const routes = Record.map(operations, ({ method, path }) => ({ method, path }))

/** The header that carries the API key. */
export const keyHeader = Authentication.security.apiKey.key
