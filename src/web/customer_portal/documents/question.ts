import { parseField } from '../../../identity/inputs.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { hidden, textArea } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { receiveFromLink } from '../../../messaging/inbox/from_link.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { isId, newId } from '../../../platform/validation/id.ts'
import { longText } from '../../../platform/validation/text/text.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { CustomerRequest, QuoteAnswer } from '../../../messaging/notices/notices.ts'
import type { LinkContext } from '../link_context.ts'
import { customerPage } from '../customer_page.ts'

const MAX_LENGTH = 2_000

/** Texts of a question for customer and company, and its links. `quote` or `invoice` is its record. */
export type QuestionForm = {
  title: string
  label: string
  subject: string
  action: string
  back: string
  quote?: QuoteAnswer['quote'] | undefined
  invoice?: CustomerRequest['invoice']
}

/** Shows the form of a question or request. */
export const showQuestion = (context: LinkContext, question: QuestionForm): Response => questionPage(context, question)

/** Adds the customer's text to the company's messages, once per form. */
export async function sendQuestion(
  context: LinkContext,
  question: QuestionForm,
  request: PageRequest,
): Promise<Response> {
  const sent = await readFormFields(request.req.raw)
  const [input, idempotencyKey] = [sent.get('body') ?? '', sent.get('press') ?? '']
  const { customer_id: customer, customer_name: name } = context.link
  try {
    const body = parseField(longText(MAX_LENGTH), input, 'body')
    if (body == null || body.trim() === '') return questionPage(context, question, input)
    await context.write(async (db) => {
      const isNew = await receiveFromLink(db, {
        customer,
        name,
        idempotencyKey: `${context.link.id} ${isId(idempotencyKey) ? idempotencyKey : newId()}`,
        subject: question.subject,
        body,
      })
      if (!isNew) return
      const { quote, invoice } = question
      if (quote !== undefined) await context.notifyOfAnswer(db, { kind: 'asked', quote, name, text: body })
      else if (invoice !== undefined) await context.notifyOfRequest(db, { customer, name, invoice, text: body })
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return questionPage(context, question, input.slice(0, 2 * MAX_LENGTH))
  }
  return redirectWithMessage(question.back, { sentence: say`Sent. ${context.company.name} will get back to you.` })
}

function questionPage(
  { company }: LinkContext,
  { title, label, action, back }: QuestionForm,
  input?: string,
): Response {
  return customerPage({
    from: company,
    back,
    title,
    scripts: ['form.js'],
    status: input === undefined ? 200 : 422,
    body: html`
<section class="ticket">
  <h1>${title}</h1>
  <form class="form" method="post" action="${action}">
    ${hidden('press', newId())}
    ${textArea({
      name: 'body',
      label,
      value: input ?? '',
      rows: 5,
      isRequired: true,
      error: input === undefined ? undefined : say`Use ${MAX_LENGTH} characters or fewer.`,
    })}
    <p class="actions">${button({ label: say`Send`, kind: 'main' })}${linkButton(say`Cancel`, back, 'quiet')}</p>
  </form>
</section>`,
  })
}
