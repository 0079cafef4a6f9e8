import { glob } from 'node:fs/promises'
import { join } from 'node:path'

export const src = join(import.meta.dirname, '..', '..', 'src')

/** Lists the files of src/ that match a pattern, without tests and what only they use, as paths from there, sorted. */
export async function listSources(pattern: string): Promise<string[]> {
  const paths: string[] = []
  for await (const path of glob(pattern, { cwd: src }))
    if (!/\.test\.ts$|\.tmp\.ts$|\.fake\.ts$/.test(path)) paths.push(path)
  return paths.sort()
}
