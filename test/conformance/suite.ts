import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const SUITE = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
)

export type SuiteResult = { code: number; output: string }

/** Starts a command of the conformance suite. */
export function startSuite(...args: string[]) {
  const suite = spawn(process.execPath, [SUITE, ...args])
  let output = ''
  const ended = new Promise<SuiteResult>((resolve, reject) =>
    suite.on('error', reject).on('close', (code) => resolve({ code: code ?? 1, output })),
  )
  for (const stream of [suite.stdout, suite.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  return {
    /** `code` is 0 if no check failed outside the baseline. */
    ended,
    /** Returns the first match in the output. */
    async said(pattern: RegExp): Promise<string> {
      for (;;) {
        const found = pattern.exec(output)?.[0]
        if (found !== undefined) return found
        const more = new Promise<'more'>((resolve) => suite.stdout.once('data', () => resolve('more')))
        if ((await Promise.race([more, ended])) !== 'more') throw new Error(`the suite ended without it: ${output}`)
      }
    },
  }
}

/** Runs a command of the conformance suite to its end. */
export const runSuite = (...args: string[]): Promise<SuiteResult> => startSuite(...args).ended

/** Returns the scenarios of a run, each with its number of passed and failed checks. */
export const scenariosOf = (output: string): Map<string, { passed: number; failed: number }> =>
  new Map(
    [...output.matchAll(/^[✓✗] ([\w/-]+): (\d+) passed, (\d+) failed/gm)].map(([, name, passed, failed]) => [
      name!,
      { passed: Number(passed), failed: Number(failed) },
    ]),
  )
