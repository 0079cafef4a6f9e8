import { glob, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { parseSync, Visitor, type EcmaScriptModule, type ParseResult } from 'oxc-parser'

// Counts the size and shape of the source: `node scripts/measure.ts`, or with `--places` where each counted thing is.
const root = join(import.meta.dirname, '..')

/** A counted thing, where it is, and how large it is where that matters. */
export type Place = { path: string; line: number; text: string; size?: number }

export type Measures = {
  sourceLines: number
  testLines: number
  documentWords: number
  longFunctions: Place[]
  casts: Place[]
  doubleCasts: Place[]
  nonNulls: Place[]
  wideLines: Place[]
  crowdedFolders: Place[]
  participles: Place[]
  unusedExports: Place[]
  oddComments: Place[]
}

const MAX_COLUMNS = 120
const MAX_FUNCTION_LINES = 60
const MAX_FILES = 16

type File = { path: string; text: string; isTest: boolean }

/** Measures the checkout. */
export async function measure(): Promise<Measures> {
  const files = await readAll('{src,test,bench,scripts}/**/*.ts')
  const source = files.filter(({ path, isTest }) => path.startsWith('src/') && !isTest)
  const parsed = files.map((file) => ({ file, ...parseFile(file) }))
  const all = (kind: keyof Shape): Place[] =>
    parsed.flatMap(({ file, shape }) => (source.includes(file) ? shape[kind] : []))
  return {
    sourceLines: sum(source.map(({ text }) => linesOf(text).length - 1)),
    testLines: sum(files.filter(({ isTest }) => isTest).map(({ text }) => linesOf(text).length - 1)),
    documentWords: sum(
      (await readAll('{*,docs/**/*}.md')).map(
        ({ text }) => text.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length,
      ),
    ),
    longFunctions: all('functions').filter(({ size = 0 }) => size > MAX_FUNCTION_LINES),
    casts: all('casts'),
    doubleCasts: all('doubleCasts'),
    nonNulls: all('nonNulls'),
    wideLines: source.flatMap(wideLinesOf),
    crowdedFolders: await crowdedFolders(),
    participles: parsed.flatMap(({ shape }) => shape.functions).filter(({ text }) => isParticiple(text)),
    unusedExports: unusedExports(parsed),
    oddComments: [...files, ...(await readAll('public/**/*.js'))].flatMap(oddCommentsOf),
  }
}

async function readAll(pattern: string): Promise<File[]> {
  const paths: string[] = []
  for await (const path of glob(pattern, { cwd: root })) paths.push(path)
  return Promise.all(
    paths
      .sort()
      .map(async (path) => ({
        path,
        text: await readFile(join(root, path), 'utf8'),
        isTest: path.startsWith('test/') || /\.(test|fake)\.ts$/.test(path),
      })),
  )
}

type Shape = { functions: Place[]; casts: Place[]; doubleCasts: Place[]; nonNulls: Place[] }
type Range = { start: number; end: number }

/** Parses a file once: its imports and exports, its functions, and what it asserts to the compiler. */
function parseFile(file: File): { shape: Shape; module: EcmaScriptModule } {
  const { program, module } = parseSync(file.path, file.text)
  return { shape: shapeOf(file, program), module }
}

/** Reads a file's functions with their names and lengths, and what it asserts to the compiler. */
function shapeOf({ path, text }: File, program: ParseResult['program']): Shape {
  const shape: Shape = { functions: [], casts: [], doubleCasts: [], nonNulls: [] }
  const at = ({ start, end }: Range, of = text.slice(start, end).split('\n', 1)[0]!): Place => {
    const line = lineAt(text, start)
    return { path, line, text: of, size: lineAt(text, end) - line + 1 }
  }
  const named = new Set<number>()
  const add = (node: Range, name: string): void => {
    if (named.has(node.start)) return
    named.add(node.start)
    shape.functions.push(at(node, name))
  }
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && init != null && isFunction(init)) add(init, id.name)
    },
    Property: ({ key, value }) => {
      // Keys of tables are words of their data, such as the states of a quote.
      if (key.type === 'Identifier' && isFunction(value)) add(value, `.${key.name}`)
    },
    MethodDefinition: ({ key, value }) => {
      add(value, key.type === 'Identifier' ? key.name : '')
    },
    FunctionDeclaration: (node) => add(node, node.id?.name ?? ''),
    FunctionExpression: (node) => add(node, ''),
    ArrowFunctionExpression: (node) => add(node, ''),
    TSAsExpression: (node) => {
      if (
        node.typeAnnotation.type === 'TSTypeReference' &&
        text.slice(node.typeAnnotation.start, node.typeAnnotation.end) === 'const'
      )
        return
      shape.casts.push(at(node))
      if (node.typeAnnotation.type === 'TSNeverKeyword' || node.expression.type === 'TSAsExpression')
        shape.doubleCasts.push(at(node))
    },
    TSNonNullExpression: (node) => {
      shape.nonNulls.push(at(node))
    },
  }).visit(program)
  return shape
}

const isFunction = ({ type }: { type: string }): boolean =>
  type === 'FunctionExpression' || type === 'ArrowFunctionExpression'

const IRREGULAR =
  'said|told|taken|shown|given|sought|known|found|made|done|held|kept|left|sent|put|read|written|drawn|begun|gone|come|seen|meant|bound|built|bent|brought|chosen|spoken|stood|thrown|worn|worked'
const PARTICIPLE = new RegExp(`^(?:${IRREGULAR}|[a-z]+ed)(?:$|(?:Of|By|At|As|In|On|To|From|For|With)(?:$|[A-Z]))`)
const VERBS = /^(?:need|feed|read|put|embed|seed|speed|exceed|proceed|succeed|bleed|red)(?:$|[A-Z])/

/** Checks whether a function's name is a bare participle, such as `told` or `shownOf`. */
const isParticiple = (name: string): boolean => PARTICIPLE.test(name) && !VERBS.test(name)

/** Matches comments that tell instead of naming their subject: "Is the most bytes" for "Maximum bytes". */
const ODD_COMMENT = /\/\*\*[\s*]*((?:Is|Are|Says?|Tells?|Told) [^\n]{0,60})/g

const oddCommentsOf = ({ path, text }: File): Place[] =>
  [...text.matchAll(ODD_COMMENT)].map(({ 1: words = '', index }) => ({
    path,
    line: text.slice(0, index).split('\n').length,
    text: words,
  }))

const wideLinesOf = ({ path, text }: File): Place[] =>
  linesOf(text).flatMap((line, i) =>
    line.length > MAX_COLUMNS ? [{ path, line: i + 1, text: line.trim().slice(0, 60), size: line.length }] : [],
  )

async function crowdedFolders(): Promise<Place[]> {
  const counts = new Map<string, number>()
  for await (const path of glob('{src,test,public,scripts}/**/*.*', { cwd: root, withFileTypes: true }))
    if (path.isFile()) {
      const folder = relative(root, path.parentPath)
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
  return [...counts]
    .filter(([, size]) => size > MAX_FILES)
    .map(([path, size]) => ({ path, line: 0, text: `${size} files`, size }))
}

/** Returns exports of `src` that no other file of the checkout imports. */
function unusedExports(files: readonly { file: File; module: EcmaScriptModule }[]): Place[] {
  const used = new Set<string>()
  const loaded: RegExp[] = []
  const exported: Place[] = []
  for (const { file, module } of files) {
    const { path, text } = file
    const target = (specifier: string): string => relative('.', join(dirname(path), specifier))
    for (const { moduleRequest, entries } of module.staticImports)
      for (const { importName } of entries) used.add(`${target(moduleRequest.value)} ${importName.name ?? '*'}`)
    for (const { entries } of module.staticExports)
      for (const { moduleRequest, importName, exportName, start } of entries) {
        if (moduleRequest !== null) used.add(`${target(moduleRequest.value)} ${importName.name ?? '*'}`)
        else if (path.startsWith('src/'))
          exported.push({ path, line: lineAt(text, start), text: exportName.name ?? 'default' })
      }
    for (const [, specifier] of text.matchAll(/import\(\s*'(\.[^']+)'/g)) used.add(`${target(specifier!)} *`)
    // A path with a name in it, which a walk over folders loads.
    for (const [, path] of text.matchAll(/`(src\/[^`]*\$\{\w+\}[^`]*\.ts)`/g))
      loaded.push(new RegExp(`^${path!.replaceAll(/\$\{\w+\}/g, '[^/]+')}$`))
  }
  return exported.filter(
    ({ path, text }) =>
      !used.has(`${path} ${text}`) && !used.has(`${path} *`) && !loaded.some((pattern) => pattern.test(path)),
  )
}

const linesOf = (text: string): string[] => text.split('\n')
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}

if (import.meta.main) {
  const measures = await measure()
  for (const [name, value] of Object.entries(measures)) console.log(name, Array.isArray(value) ? value.length : value)
  if (process.argv.includes('--places'))
    for (const [name, value] of Object.entries(measures))
      if (Array.isArray(value))
        for (const { path, line, text, size } of value as Place[])
          console.log(`${name} ${path}:${line} ${size ?? ''} ${text}`)
}
