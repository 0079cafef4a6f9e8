import { parseSync } from 'oxc-parser'

/** English prose in a source that reaches a reader as it stands. */
export type Prose = { line: number; text: string }

type Node = { type: string; start: number; [key: string]: unknown }

/** Tags that translate their text, hold no text for people, or are looked at by `bareIn`. */
const QUIET_TAGS = new Set(['say', 'sayHtml', 'sayFor', 'sql', 'html'])

/** Calls whose texts are translated, declared in each language, or read by machines and developers. */
const QUIET_CALLS =
  /^(?:say|sayCount|super|defineRefusals|defineWarnings|explainConstraints|newFairQueue|requireValue|raw|describe|report|remark|log|warn|info|error|debug|querySelector(?:All)?)$/

/** Classes of errors, whose texts are for the log. */
const QUIET_CLASSES = /(?:Error|^RegExp|^Unavailable|^Uncertain)$/

const FUNCTION_WORDS =
  /\b(?:the|an?|is|are|of|to|in|be|can|and|or|not|no|for|this|that|it|with|by|on|has|have|was|were|you|your|from|at|as|its|they|may)\b/i

/**
 * Returns literals that read as English sentences or labels of two words and more, which no tag and no call around them
 * translates. It reads the syntax tree, so that neither the way of writing nor a comment hides or invents one.
 */
export function proseIn(source: string, path: string): Prose[] {
  const all: Prose[] = []
  const add = (at: number, text: string): void => {
    if (isProse(text))
      all.push({ line: source.slice(0, at).split('\n').length, text: text.replace(/\s+/g, ' ').trim() })
  }
  const visit = (value: unknown, isQuiet: boolean): void => {
    if (Array.isArray(value)) return value.forEach((one) => visit(one, isQuiet))
    if (!isNode(value)) return
    switch (value.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'TSLiteralType':
        return
      case 'Literal':
        if (!isQuiet && typeof value['value'] === 'string') add(value.start, value['value'])
        return
      case 'TemplateLiteral':
        if (!isQuiet) add(value.start, templateText(value))
        return visit(value['expressions'], isQuiet)
      case 'TaggedTemplateExpression':
        return visit(QUIET_TAGS.has(nameOf(value['tag'])) ? quasiOf(value)['expressions'] : value['quasi'], isQuiet)
      case 'CallExpression':
        visit(value['callee'], isQuiet)
        return visit(value['arguments'], isQuiet || QUIET_CALLS.test(nameOf(value['callee'])))
      case 'NewExpression':
        return visit(value['arguments'], isQuiet || QUIET_CLASSES.test(nameOf(value['callee'])))
      case 'Property':
        if (value['computed'] === true) visit(value['key'], isQuiet)
        // What an archive holds is described in English.
        if (isNode(value['key']) && value['key']['name'] === 'about') return
        return visit(value['value'], isQuiet)
      default:
        return Object.values(value).forEach((one) => visit(one, isQuiet))
    }
  }
  visit(parseSync(path, source).program, false)
  return all
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Statements of clients that take text. */
const SQL = /^(?:select|insert into|delete from)\b/

const isProse = (text: string): boolean =>
  !SQL.test(text) &&
  /\p{L}{2,}[,;:]? (?:\p{L}|\{\})/u.test(text) &&
  (/^\p{Lu}\p{Ll}/u.test(text.trim()) || /[.?!:]$/.test(text.trim()) || FUNCTION_WORDS.test(text))

const quasiOf = (tagged: Node): Node => tagged['quasi'] as Node

/** Returns a template's text with `{}` for each value. */
const templateText = (template: Node): string =>
  (template['quasis'] as { value: { cooked: string | null; raw: string } }[])
    .map(({ value }) => value.cooked ?? value.raw)
    .join('{}')

/** Returns the last name of what is called: `say` of `x.say`, `sayFor` of `sayFor('visit')`. */
function nameOf(callee: unknown): string {
  if (!isNode(callee)) return ''
  if (callee.type === 'Super') return 'super'
  if (callee.type === 'Identifier') return String(callee['name'])
  return nameOf(callee['property'] ?? callee['callee'])
}
