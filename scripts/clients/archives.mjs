// Archives whose bytes depend on nothing but their files: no clock, no user, no platform. The compression is in
// JavaScript, because the output of zlib differs between processors.
import { gzipSync, zipSync } from "fflate"

/** @typedef {ReadonlyMap<string, Uint8Array>} Files The contents of an archive, by path. */

/** The header of a file in a tar archive (POSIX.1-1988): texts and octal numbers at fixed offsets. */
const tarHeader = (/** @type {string} */ path, /** @type {number} */ size) => {
  const header = Buffer.alloc(512)
  if (Buffer.byteLength(path) > 100) throw new Error(`The path is too long for a tar archive: ${path}`)
  const octal = (/** @type {number} */ value, /** @type {number} */ digits) => value.toString(8).padStart(digits, "0")
  header.write(path, 0)
  header.write(octal(0o644, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(size, 11), 124)
  // The date that npm gives to every file of a package: 26 October 1985, 8:15 UTC.
  header.write(octal(499_162_500, 11), 136)
  header.write("        ", 148)
  header.write("0", 156)
  header.write("ustar\x0000", 257)
  const sum = header.reduce((sum, byte) => sum + byte, 0)
  header.write(`${octal(sum, 6)}\0 `, 148)
  return header
}

/**
 * A compressed tar archive.
 * @param {Files} files
 */
export const tgz = (files) => {
  const parts = [...files].flatMap(([path, bytes]) => [
    tarHeader(path, bytes.length),
    bytes,
    Buffer.alloc(-bytes.length & 511)
  ])
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)]), { mtime: 0, level: 9 })
}

/**
 * A zip archive.
 * @param {Files} files
 */
export const zip = (files) =>
  // A zip archive has local times, none before 1980. 3 means Unix, with the permissions in the upper half of attrs.
  zipSync(Object.fromEntries(files), { mtime: new Date(1985, 9, 26, 8, 15), level: 9, os: 3, attrs: 0o100644 << 16 })
