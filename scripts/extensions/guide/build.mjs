// Builds what the guide serves: the packages of the clients, and its pages as HTML.
import { makeClients } from "../../clients/clients.mjs"
import { makeGuide } from "./guide.mjs"

const [, , dist] = process.argv
await makeClients(`${dist}/clients`)
makeGuide(`${dist}/guide`)
