import { Effect, Option } from "effect"
import { check, integer, orElse, text } from "./Variable.ts"

/** True for an IP address, an IPv6 one with or without a zone, and for a name, which may turn out not to exist. */
const isHost = (host: string) =>
  host.includes(":")
    ? URL.canParse(`http://[${host.replace(/%[\w.-]+$/, "")}]`)
    : /^[\w.-]+$/.test(host) && URL.canParse(`http://${host}`)

/** Reads HOST or ADMIN_HOST: an address to listen on, an IPv6 one with or without brackets. */
export const listenHost = (name: "HOST" | "ADMIN_HOST") =>
  text(name).pipe(
    Effect.map(Option.map((host) => host.replace(/^\[(.*)\]$/, "$1"))),
    check(name, isHost, `be an IP address or a host name, without a port: that is ${name.replace("HOST", "PORT")}`),
    orElse("127.0.0.1")
  )

/** Reads PORT or ADMIN_PORT; 0 lets the system choose a free one. */
export const listenPort = (name: "PORT" | "ADMIN_PORT") => integer(name, 0, 65_535, "an integer from 0 to 65535")

/** An address and a port as in a URL. */
export const showAddress = (host: string, port: number) => `${host.includes(":") ? `[${host}]` : host}:${port}`

/** True if only this machine reaches an address. */
export const isLoopback = (host: string) => /^(?:127\.[\d.]+|::1|localhost\.?)$/i.test(host)
