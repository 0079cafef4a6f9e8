import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'

/** Content of a JSON or YAML file. The test chooses its type. */
export type Json = { [key: string]: Json } & Json[] & string

export const root = join(import.meta.dirname, '..', '..')

export const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

export const exists = (path: string): Promise<boolean> =>
  access(join(root, path)).then(
    () => true,
    () => false,
  )

export const json = async (path: string): Promise<Json> => JSON.parse(await read(path)) as Json

export const yaml = async (path: string): Promise<Json> => parse(await read(path)) as Json
