import { z } from 'zod'
import type { Scope } from '../../identity/permissions/scopes.ts'
import type { ToolAccess } from '../rounds/tool_access.ts'
import type { Completer } from '../completions.ts'

type PromptDeclaration<Shape extends z.ZodRawShape> = {
  name: string
  title: string
  description: string
  /** Scopes required to show or do anything. */
  scopes: readonly [Scope, ...Scope[]]
  /** Tools that the prompt reads with or has the model call. If one is missing, the prompt is not offered. */
  tools: readonly string[]
  input: Shape
  completes: { readonly [Name in keyof Shape]?: Completer }
  /** Writes the text for the model, with the account's current data. */
  write: (by: ToolAccess, input: z.output<z.ZodObject<Shape, z.core.$strict>>) => Promise<string>
}

/** Prompt (docs/spec/tools.md#prompts). */
export type Prompt = Omit<PromptDeclaration<z.ZodRawShape>, 'input' | 'completes' | 'write'> & {
  input: z.ZodObject
  completes: Readonly<Record<string, Completer>>
  /** Writes the text. `args` must match `input`. */
  write(by: ToolAccess, args: unknown): Promise<string>
}

export const prompt = <const Shape extends z.ZodRawShape>({ input, ...declared }: PromptDeclaration<Shape>): Prompt =>
  ({ ...declared, input: z.strictObject(input) }) as Prompt

/** Joins the paragraphs of a text, without nulls. */
export const paragraphs = (...texts: (string | null)[]): string => texts.filter((text) => text !== null).join('\n\n')

/** Formats steps as a numbered list. */
export const steps = (...texts: (string | null)[]): string =>
  texts
    .filter((text) => text !== null)
    .map((text, i) => `${i + 1}. ${text}`)
    .join('\n')
