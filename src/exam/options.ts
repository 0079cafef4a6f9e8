import { UsageError } from '../cli/command.ts'
import { VARIANTS, type Variant } from './attempt.ts'
import type { ExamPlan } from './run.ts'
import type { TokenPrice } from './score.ts'

/** Values of the command line. */
export type ExamOptions = Readonly<Record<string, string | undefined>>

const MAX_RUNS = 20

export function readPlan({ variants, tasks, runs, model }: ExamOptions): ExamPlan {
  const number = Number(runs ?? (model === undefined ? 1 : 3))
  if (!Number.isInteger(number) || number < 1 || number > MAX_RUNS)
    throw usageError(`--runs must be a number from 1 to ${MAX_RUNS}`)
  return {
    variants: variants === undefined ? VARIANTS : listOf(variants).map(readVariant),
    runs: number,
    taskFilter: tasks === undefined ? [] : listOf(tasks),
  }
}

function readVariant(name: string): Variant {
  const variant = VARIANTS.find((one) => one === name)
  if (variant === undefined) throw usageError(`--variants must be a list of ${VARIANTS.join(', ')}, not ${name}`)
  return variant
}

export function readPrice(price: string | undefined): TokenPrice | null {
  if (price === undefined) return null
  const [input = Number.NaN, output = Number.NaN, ...more] = listOf(price).map(Number)
  if (!(input >= 0 && output >= 0) || more.length > 0)
    throw usageError('--price must be dollars per million input and output tokens, such as 3,15')
  return { input, output }
}

export function readPort(port: string): number {
  const number = Number(port)
  if (!Number.isInteger(number) || number < 0 || number > 65_535) throw usageError('--mcp must be a port, such as 3333')
  return number
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

export const usageError = (sentence: string): UsageError => new UsageError(sentence, 'callout exam --help')
