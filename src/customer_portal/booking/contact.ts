import { parseField, readEmail } from '../../identity/inputs.ts'
import { invalidField, invalidFields, Refusal, type FieldProblem } from '../../platform/errors/refusal.ts'
import { readPhone } from '../../platform/validation/formats/phone.ts'
import { nonEmptyText, text } from '../../platform/validation/text/text.ts'
import type { BookableService } from './bookable_service.ts'
import { refusals } from './refusals.ts'

/** Validated contact details, address and answers of a booking. */
export type BookingContact = {
  name: string
  email: string | null
  phone: string | null
  address: { address_line1: string; city: string; region?: string; postal_code?: string }
  answers: { question: string; answer: string }[]
}

const MAX_ANSWER = 500

/** Parses the contact details from a form. Throws with every problem at once. */
export function readContact(form: URLSearchParams, service: BookableService, country: string): BookingContact {
  const problems: FieldProblem[] = []
  const read = <T>(work: () => T, fallback: T): T => {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      problems.push(...error.problems)
      return fallback
    }
  }
  const line = (name: string, max: number): string =>
    read(() => parseField(nonEmptyText(max), form.get(name) ?? '', name), '')
  const optionalLine = (name: string, max: number): string | undefined =>
    read(() => parseField(text(max), form.get(name) ?? '', name) ?? undefined, undefined)
  const [email, phone] = [(form.get('email') ?? '').trim(), (form.get('phone') ?? '').trim()]
  if (email === '' && phone === '') problems.push({ path: 'email', rule: refusals.contactMissing() })
  const region = optionalLine('region', 100)
  const postal_code = optionalLine('postal_code', 20)
  const contact = {
    name: line('name', 100),
    email: email === '' ? null : read(() => readEmail(email), null),
    phone: phone === '' ? null : read(() => readPhone(phone.slice(0, 60), country).phone, null),
    address: {
      address_line1: line('address_line1', 200),
      city: line('city', 100),
      ...(region === undefined ? {} : { region }),
      ...(postal_code === undefined ? {} : { postal_code }),
    },
    answers: service.questions.map((question, i) => ({
      question,
      answer: read(() => readAnswer(form.get(`answer_${i}`) ?? '', `answer_${i}`), ''),
    })),
  }
  if (problems.length > 0) throw invalidFields(problems)
  return contact
}

function readAnswer(input: string, field: string): string {
  const answer = parseField(text(MAX_ANSWER), input.replaceAll(/\s+/g, ' '), field)
  if (answer == null) throw invalidField(field, refusals.answerMissing())
  return answer
}
