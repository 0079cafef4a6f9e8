import type { z } from 'zod'
import { isDetail, type RefusalRule } from '../../platform/errors/refusal.ts'
import type { RefusalDetail } from '../../platform/errors/refusal_text.ts'
import { findRefusal } from '../../platform/errors/rule_text.ts'
import { refusals } from './refusals.ts'

type Issue = z.core.$ZodIssue

/** Returns the rule that a value broke: the declared refusal of its check, or one for the kind of issue. */
export function ruleOf(issue: Issue): RefusalDetail {
  const declared = refusalOf(issue) ?? findRefusal(issue.message)
  if (declared !== undefined) return declared
  switch (issue.code) {
    case 'invalid_type':
      return typeRule(issue)
    case 'invalid_value':
      return refusals.option({
        rule: issue.message.startsWith('must ') ? issue.message : `must be one of ${issue.values.join(', ')}`,
      })
    case 'too_small':
      return issue.origin === 'array'
        ? refusals.tooFew({ min: Number(issue.minimum) })
        : refusals.tooSmall({ min: String(issue.minimum) })
    case 'too_big':
      return issue.origin === 'array'
        ? refusals.tooMany({ max: String(issue.maximum) })
        : refusals.tooBig({ max: String(issue.maximum) })
    case 'invalid_key':
      return refusals.key({ rule: issue.issues[0]?.message ?? 'is not allowed' })
    default:
      return refusals.unreadable({ rule: issue.message })
  }
}

/** Returns the refusal that a check made with `refuse`. */
function refusalOf(issue: Issue): RefusalDetail | undefined {
  const refusal = issue.code === 'custom' ? (issue.params?.['refusal'] as RefusalRule | undefined) : undefined
  return refusal !== undefined && isDetail(refusal) ? refusal : undefined
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  record: 'an object',
  int: 'a whole number',
}

function typeRule(issue: Extract<Issue, { code: 'invalid_type' }>): RefusalDetail {
  const { expected } = issue
  const rule = issue.message.startsWith('Invalid input') ? `must be ${TYPES[expected] ?? expected}` : issue.message
  if (expected === 'number' || expected === 'int') return refusals.number({ rule })
  if (expected === 'string') return refusals.text({ rule })
  return expected === 'boolean' ? refusals.yesOrNo({ rule }) : refusals.unreadable({ rule })
}
