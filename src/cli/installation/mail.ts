import { writeAccountEmail } from '../../identity/people/recovery/account_letters.ts'
import { selectMail, selectNewestMails, type AccountMailRow } from '../../identity/security/notices/account_mail.ts'
import { notFound } from '../../platform/errors/refusal.ts'
import { isId } from '../../platform/validation/id.ts'
import { alignColumns, formatTable } from '../columns.ts'
import { command } from '../command.ts'
import { withDatabase } from '../with_database.ts'

const MAX_MAILS = 50

/** Commands that list the installation's own mail to people and print kept mails. */
export const mailCommands = [
  command({
    name: 'mail list',
    description: `Lists the newest ${MAX_MAILS} account mails and their delivery state.`,
    options: {},
    run: async () => {
      const mails = await withDatabase(
        async ({ database }) => (await database.send([selectNewestMails(MAX_MAILS)]))[0]!.rows as AccountMailRow[],
      )
      const rows = mails.map(({ id, created_at, address, kind, state, reply }) => [
        id,
        created_at.slice(0, 16),
        address,
        kind,
        state,
        reply ?? '',
      ])
      return {
        json: mails.map((mail) => {
          const { about: _, ...view } = mail
          return view
        }),
        text: formatTable(['ID', 'SINCE', 'TO', 'KIND', 'STATE', 'REPLY'], rows, 'No mail.'),
      }
    },
  }),
  command({
    name: 'mail show',
    description: 'Shows a mail that was kept because no mail server is configured, with a working link.',
    options: { id: { value: '<id>', required: true, bare: true, description: 'Id of the mail' } },
    run: ({ id }) =>
      withDatabase(async ({ database }, { baseUrl }) => {
        const [answer] = isId(id) ? await database.send([selectMail(id)]) : []
        const mail = answer?.rows[0] as AccountMailRow | undefined
        if (mail === undefined) throw notFound('mail')
        const { address, state, reply } = mail
        const letter =
          state === 'kept' && mail.about !== null ? await writeAccountEmail(database.send, mail, baseUrl) : null
        if (letter !== null && letter.prepare.length > 0) await database.send(letter.prepare)
        const content = letter === null ? null : { subject: letter.subject, text: letter.text }
        const emptyText =
          state === 'kept' ? "This mail is out of date and wouldn't be sent." : "The text of this mail isn't kept."
        return {
          json: { id: mail.id, to: address, kind: mail.kind, state, reply, ...content },
          text: `${alignColumns([['To', address], ['State', state], ...(content === null ? [] : [['Subject', content.subject]])])}\n\n${content?.text ?? emptyText}`,
        }
      }),
  }),
]
