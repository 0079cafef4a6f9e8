import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Translatable text in the source: the English template that translations are keyed by, and the first file that uses
 * it.
 */
export type SaidText = { template: string; path: string }

/** Returns every text that files of a folder say through `say`, `sayHtml`, `sayCount` and their phrases, each once. */
export async function textsSaidIn(folder: string): Promise<SaidText[]> {
  const found = new Map<string, string>()
  for (const path of (await Array.fromAsync(glob('**/*.ts', { cwd: folder }))).sort()) {
    if (path.endsWith('.test.ts') || path.endsWith('.tmp.ts')) continue
    for (const template of templatesIn(await readFile(join(folder, path), 'utf8')))
      if (!found.has(template)) found.set(template, path)
  }
  return [...found].map(([template, path]) => ({ template, path }))
}

/** Returns the templates of one source: tags over literals, and the two literals of a count. */
export function templatesIn(source: string): string[] {
  const tagged = [...source.matchAll(/(?<!`)\b(?:say(?:Html|For\([^()`]*\))?|phrase)`/g)].map(({ index, 0: tag }) =>
    readTemplate(source, index + tag.length),
  )
  const counted = [...source.matchAll(/\b(?:say|phrase)Count\(\s*/g)].flatMap(({ index, 0: call }) =>
    readCountLiterals(source, index + call.length),
  )
  return [...tagged, ...counted]
}

/**
 * Returns what a source shows people without saying it: words between the tags of its `html`, in the attributes that are
 * read, and in the properties of its parts that are shown. Code on a page, and the name of the product, are the same in
 * every language.
 */
export function bareIn(commented: string): string[] {
  const source = commented.replace(/\/\*\*[^]*?\*\//g, '')
  const pages = [...source.matchAll(/\bhtml`/g)].map(({ index, 0: tag }) => readTemplate(source, index + tag.length))
  const shown = pages.flatMap((page) => [
    ...(ATTRIBUTES_ALONE.test(page) ? [] : page.replace(CODE, '').split(/<[^<>]*>/)),
    ...[...page.matchAll(/\b(?:aria-label|title|alt|placeholder)="([^"]*)"/g)].map(([, text]) => text!),
  ])
  const named = [...source.matchAll(SHOWN_PROPERTY)].map(({ index, 0: property, 1: literal }) =>
    literal === '`' ? readTemplate(source, index + property.length) : literal!.slice(1, -1),
  )
  return [...shown, ...named]
    .map((text) => text.replace(/&#?\w+;|\{\d+\}|\bCallout\b/g, ' ').trim())
    .filter((text) => /\p{L}{2}/u.test(text))
}

/** Elements and attributes with code, which is the same in every language. */
const CODE = /<(code|pre|kbd|style|script)\b[^]*?<\/\1>/g

/** Matches a template that is put into a tag. */
const ATTRIBUTES_ALONE = /^\s*(?:(?:open|selected|checked|disabled|required|autofocus|[\w{}-]+="[^"]*")\s*)+$/

/** Matches component properties that hold visible text, up to the end of a literal or its backtick. */
const SHOWN_PROPERTY =
  /\b(?:label|title|help|caption|empty|emptyText|body|text|message|question|warning|notice|note|reason):\s+('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`)/g

/** Reads a tagged template from behind its first backtick; each value becomes its number in braces. */
function readTemplate(source: string, from: number): string {
  let [text, values] = ['', 0]
  for (let i = from; i < source.length; i++) {
    if (source[i] === '`') return text
    if (source[i] === '\\') text += characterOf(source.slice(i, ++i + 1))
    else if (source.startsWith('${', i)) {
      text += `{${values++}}`
      i = endOfValue(source, i + 2)
    } else text += source[i]
  }
  throw new Error('Unterminated template')
}

/** Returns the place of the brace that ends a value; templates, strings and braces inside it have ends of their own. */
function endOfValue(source: string, from: number): number {
  for (let [i, open] = [from, 0]; i < source.length; i++) {
    if (source[i] === '{') open++
    else if (source[i] === '}' && open-- === 0) return i
    else if (source[i] === "'" || source[i] === '"') i = source.indexOf(source[i]!, i + 1)
    else if (source[i] === '`') i = endOfTemplate(source, i + 1)
  }
  throw new Error('Unterminated template value')
}

function endOfTemplate(source: string, from: number): number {
  for (let i = from; i < source.length; i++) {
    if (source[i] === '`') return i
    if (source[i] === '\\') i++
    else if (source.startsWith('${', i)) i = endOfValue(source, i + 2)
  }
  throw new Error('Unterminated template')
}

/** Reads the two literals behind the first argument of a count, which has no comma outside of parentheses. */
function readCountLiterals(source: string, from: number): string[] {
  let i = from
  for (let open = 0; source[i] !== ',' || open > 0; i++) {
    if ('(['.includes(source[i]!)) open++
    if (')]'.includes(source[i]!)) open--
  }
  const literals = /^,\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")/.exec(
    source.slice(i),
  )
  if (literals === null) throw new Error(`A count needs two string literals: ${source.slice(from, from + 80)}`)
  return literals.slice(1).map((literal) => literal.slice(1, -1).replace(/\\./g, characterOf))
}

const characterOf = (escape: string): string => ({ '\\n': '\n', '\\t': '\t' })[escape] ?? escape.slice(1)
