import { delimiter, dirname } from 'node:path'

/** Returns the command that runs this program, judging by how it was started: with npm, from PATH or by its path. */
export function programCommand({ argv, env }: Pick<NodeJS.Process, 'argv' | 'env'> = process): string {
  const [, program = ''] = argv
  if (env['npm_execpath'] !== undefined || !/^[\w./-]+\/callout$/.test(program)) return 'npx callout'
  return env['PATH']?.split(delimiter).includes(dirname(program)) ? 'callout' : program
}
