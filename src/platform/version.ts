import { readFileSync } from 'node:fs'

/** Is the version of the package, as clients and logs see it. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version
