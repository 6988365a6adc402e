import { extname } from "node:path"
import { Schema } from "effect"
import { packageText, readPackageFile } from "./PackageFiles.ts"

const decodeFiles = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.String)))

let files: Readonly<Record<string, string>> | undefined

/** The file of each asset by its name on pages; a missing build is a defect. */
const assetFiles = () => (files ??= decodeFiles(packageText("dist/assets/assets.json")))

/** The path of an asset, with the hash of its content in it. */
export const assetPath = (name: string): string => {
  const file = assetFiles()[name]
  if (file === undefined) throw new Error(`The build has no asset ${name}`)
  return `/assets/${file}`
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml"
}

const read = (file: string) => readPackageFile(`dist/assets/${file}`)

/** All files that browsers load, each also as the build compressed it. */
export const readAssets = () =>
  Object.values(assetFiles()).map((file) => ({
    path: `/assets/${file}` as const,
    contentType: types[extname(file)] ?? "application/octet-stream",
    content: read(file),
    compressed: { br: read(`${file}.br`), gzip: read(`${file}.gz`) }
  }))
