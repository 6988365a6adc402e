// Makes dist/clients: the contents of the packages of the Python and TypeScript clients, in which the service writes
// its address. Those of earlier versions are in clients/released.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { Schema } from "effect"
import { buildTypescript, tarball } from "./typescript.mjs"
import { wheel } from "./wheel.mjs"

const decodeVersion = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ version: Schema.String })))

/**
 * Makes the folder.
 * @param {string} folder
 */
export const makeClients = async (folder) => {
  const { version } = decodeVersion(readFileSync("package.json", "utf8"))
  mkdirSync(folder, { recursive: true })
  if (existsSync("clients/released")) cpSync("clients/released", folder, { recursive: true })
  await buildTypescript("clients/typescript")
  for (const client of [wheel("clients/python"), tarball("clients/typescript")]) {
    if (client.version !== version) throw new Error(`${client.name} does not have the service's version, ${version}`)
    writeFileSync(`${folder}/${client.name}.json`, JSON.stringify(client))
  }
}
