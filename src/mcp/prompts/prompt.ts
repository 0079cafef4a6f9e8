import { z } from 'zod'
import type { Scope } from '../../identity/permissions/scopes.ts'
import type { Asker } from '../rounds/asker.ts'
import type { Complete } from '../completions.ts'

type PromptDeclaration<Shape extends z.ZodRawShape> = {
  name: string
  title: string
  says: string
  /** Scopes that it needs to show or do anything. */
  scopes: readonly [Scope, ...Scope[]]
  /** Names the tools that it reads with and has the model call; where one is missing there is no such prompt. */
  tools: readonly string[]
  input: Shape
  completes: { readonly [Name in keyof Shape]?: Complete }
  /** Writes the words for the model, with what the account knows now. */
  write: (by: Asker, input: z.output<z.ZodObject<Shape, z.core.$strict>>) => Promise<string>
}

/** Describes a prompt as it is declared (docs/spec/tools.md#prompts). */
export type Prompt = Omit<PromptDeclaration<z.ZodRawShape>, 'input' | 'completes' | 'write'> & {
  input: z.ZodObject
  completes: Readonly<Record<string, Complete>>
  /** Takes arguments that fit `input`. */
  write(by: Asker, args: unknown): Promise<string>
}

export const prompt = <const Shape extends z.ZodRawShape>({ input, ...declared }: PromptDeclaration<Shape>): Prompt =>
  ({ ...declared, input: z.strictObject(input) }) as Prompt

/** Joins the paragraphs of a text, without empty ones. */
export const paragraphs = (...texts: (string | null)[]): string => texts.filter((text) => text !== null).join('\n\n')

/** Numbers steps as a list. */
export const steps = (...texts: (string | null)[]): string =>
  texts
    .filter((text) => text !== null)
    .map((text, i) => `${i + 1}. ${text}`)
    .join('\n')
